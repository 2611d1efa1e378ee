"""The model, in a form that `transformers` knows: LLaVA with a SigLIP tower, and the tokenizer learnt for it."""

import math
from collections.abc import Iterable

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    PreTrainedTokenizerFast,
    SiglipVisionConfig,
)

from afterimage.sprout.picture import COLOURS
from afterimage.sprout.recipe import Network

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


#: Size of the waves with which positions start; the library's default is far too faint compared with the patches.
_WAVES = 0.5


def new_model(
    network: Network, tokenizer: PreTrainedTokenizerFast
) -> LlavaForConditionalGeneration:
    """Return the model with random weights, from torch's own generator."""
    ids = {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    config = LlavaConfig(
        vision_config=_eye(network),
        text_config=_language(network, len(tokenizer), ids),
        image_token_id=tokenizer.convert_tokens_to_ids(IMAGE),
        image_seq_length=image_tokens(network),
        vision_feature_layer=-1,
        vision_feature_select_strategy="full",
        projector_hidden_act="gelu",
        tie_word_embeddings=True,
        **ids,
    )
    model = LlavaForConditionalGeneration(config)
    positions = model.model.vision_tower.embeddings.position_embedding.weight
    positions.data.normal_(0.0, _WAVES)
    return model


def image_tokens(network: Network) -> int:
    return (network.side // network.patch) ** 2


def _eye(network: Network) -> SiglipVisionConfig:
    return SiglipVisionConfig(
        hidden_size=network.eye_width,
        intermediate_size=network.eye_inner,
        num_hidden_layers=network.eye_layers,
        num_attention_heads=network.eye_heads,
        image_size=network.side,
        patch_size=network.patch,
        vision_use_head=False,
        hidden_act="relu",
    )


def _language(network: Network, vocabulary: int, ids: dict[str, int]) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=network.width,
        intermediate_size=network.inner,
        num_hidden_layers=network.layers,
        num_attention_heads=network.heads,
        num_key_value_heads=network.heads,
        max_position_embeddings=network.positions,
        tie_word_embeddings=True,
        **ids,
    )


class FastPatches(torch.nn.Module):
    """A patch layer as a matrix product: the same weights and values as the convolution, twice as fast on a CPU."""

    def __init__(self, convolution: torch.nn.Conv2d) -> None:
        """The convolution's stride is its width."""
        super().__init__()
        self.convolution = convolution
        self.weight = convolution.weight

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        """Return features, shape (pictures, width, rows, columns), of pixels, shape (pictures, 3, side, side)."""
        patch = self.convolution.kernel_size[0]
        pictures, channels, side, _ = pixels.shape
        count = side // patch
        cut = pixels.reshape(pictures, channels, count, patch, count, patch)
        rows = cut.permute(0, 2, 4, 1, 3, 5).reshape(pictures, count * count, -1)
        features = torch.nn.functional.linear(
            rows, self.convolution.weight.flatten(1), self.convolution.bias
        )
        return features.transpose(1, 2).reshape(pictures, -1, count, count)


class Eye:
    """The vision tower as training uses it: pixels to what LLaVA reads of it."""

    def __init__(self, model: LlavaForConditionalGeneration, network: Network) -> None:
        """Take a model's tower and replace its patch layer until :meth:`give_back`."""
        self.tower = model.model.vision_tower
        self.tower.embeddings.patch_embedding = FastPatches(self.tower.embeddings.patch_embedding)
        self._mean, self._deviation = network.mean, network.deviation

    def look(self, pixels: torch.Tensor) -> torch.Tensor:
        """Return features, shape (pictures, tokens, width), of uint8 pixels, shape (pictures, side, side, 3)."""
        values = pixels.to(self.tower.device).permute(0, 3, 1, 2).contiguous().float() / 255
        seen = self.tower(
            pixel_values=(values - self._mean) / self._deviation, output_hidden_states=True
        )
        return seen.hidden_states[-1]

    def give_back(self) -> None:
        """Put the convolution back, with the weights as trained."""
        self.tower.embeddings.patch_embedding = self.tower.embeddings.patch_embedding.convolution


def learning_rate(step: int, steps: int, highest: float, warm_up: int) -> float:
    """Return the rate of a step: a linear warm-up, and a cosine down to 3 % of the highest."""
    falling = 0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * step / steps))
    return highest * min(1.0, (step + 1) / warm_up) * falling
