"""A tokenizer of its own, learnt on the training questions: pieces of sentences, so that a question is short."""

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from afterimage.sprout.case import COLOURS

IMAGE, USER, ASSISTANT, SYSTEM = "<image>", "<|user|>", "<|assistant|>", "<|system|>"
BEGIN, END, PAD = "<s>", "</s>", "<pad>"

#: Turns as training writes them; pictures before the words of a turn.
CHAT_TEMPLATE = (
    f"{{{{ '{BEGIN}' }}}}"
    "{% for message in messages %}{{ '<|' + message['role'] + '|>' }}"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] if part['type'] == 'image' %}"
    f"{{{{ '{IMAGE}' }}}}"
    "{% endfor %}"
    "{% for part in message['content'] if part['type'] == 'text' %}{{ part['text'] }}{% endfor %}"
    "{% endif %}"
    f"{{{{ '{END}' if message['role'] == 'assistant' else '' }}}}"
    "{% endfor %}"
    f"{{% if add_generation_prompt %}}{{{{ '{ASSISTANT}' }}}}{{% endif %}}"
)


def learn_tokenizer(texts: Iterable[str], size: int, positions: int) -> PreTrainedTokenizerFast:
    """Learn byte pairs across words but not across lines; colours stay words of their own.

    So a line such as an option becomes a few tokens, and what is left to learn is which of them to say.

    Args:
        texts: Questions with their answers.
        size: Most entries.
        positions: Longest conversation, tokens.
    """
    tokenizer = Tokenizer(models.BPE())
    apart = Regex("\n+|" + "|".join(f" ?{name}" for name in COLOURS))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(apart, "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[PAD, BEGIN, END, IMAGE, USER, ASSISTANT, SYSTEM],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        min_frequency=8,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        bos_token=BEGIN,
        eos_token=END,
        padding_side="left",
        extra_special_tokens={"image_token": IMAGE},
        model_max_length=positions,
    )
