"""Vision-language models small enough for tests: random weights, real tokenizer, processor and chat template.

Written in about a second, without any network. Each is a folder as ``save_pretrained`` leaves it and loads through
``AutoProcessor`` and ``AutoModelForImageTextToText``. Weights are seeded and large enough that answers differ from
image to image and from question to question; they mean nothing.

The fixtures ``tiny_llava``, ``tiny_llava_next`` and ``tiny_qwen2_vl`` give one folder each per test run.
"""

import json
import os
import sys
from pathlib import Path

import pytest

SIDE_PX = 112
PATCH_PX = 14
#: Positions of the text models; prompts are bytes, so a question with its options takes a few hundred.
POSITIONS = 8192
_HIDDEN = 64
_SPECIALS = ("<pad>", "<s>", "</s>", "<image>")
_QWEN_SPECIALS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)

#: In the form of LLaVA-1.5: images before the words of a turn.
_LLAVA_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'system' %}{{ message['content'][0]['text'] }} {% else %}"
    "{{ message['role'].upper() }}: "
    "{% for part in message['content'] if part['type'] == 'image' %}<image>\n{% endfor %}"
    "{% for part in message['content'] if part['type'] == 'text' %}{{ part['text'] }}{% endfor %}"
    "{{ ' ' if message['role'] == 'user' else eos_token }}"
    "{% endif %}{% endfor %}{% if add_generation_prompt %}ASSISTANT:{% endif %}"
)
#: In the form of Qwen2-VL: parts in their order.
_QWEN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@pytest.fixture(scope="session")
def tiny_llava(tmp_path_factory) -> Path:
    """A LLaVA of 0.3 million parameters: one square image of 112 px, 64 tokens."""
    return write_tiny_llava(_folder(tmp_path_factory, "tiny-llava"))


@pytest.fixture(scope="session")
def tiny_llava_next(tmp_path_factory) -> Path:
    """A LLaVA-NeXT of 0.3 million parameters: the whole image and tiles of 112 px."""
    return write_tiny_llava_next(_folder(tmp_path_factory, "tiny-llava-next"))


@pytest.fixture(scope="session")
def tiny_qwen2_vl(tmp_path_factory) -> Path:
    """A Qwen2-VL of 0.3 million parameters: images at their own aspect, one token per 28 x 28 px."""
    return write_tiny_qwen2_vl(_folder(tmp_path_factory, "tiny-qwen2-vl"))


@pytest.fixture(scope="session")
def tiny_idefics2(tmp_path_factory) -> Path:
    """An Idefics2 of 0.3 million parameters, whose images are padded to the largest of their batch."""
    return write_tiny_idefics2(_folder(tmp_path_factory, "tiny-idefics2"))


@pytest.fixture(scope="session")
def tiny_language_model(tmp_path_factory) -> Path:
    """A Llama without eyes, for what must be refused."""
    return write_tiny_language_model(_folder(tmp_path_factory, "tiny-language-model"))


def _folder(tmp_path_factory, name: str) -> Path:
    require_transformers()
    return tmp_path_factory.mktemp("checkpoints") / name


def require_transformers() -> None:
    """Skip the test where torch or transformers is not installed; nothing is ever fetched."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    for package in ("torch", "transformers"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    # Several threads would wait for each other longer than they compute.
    sys.modules["torch"].set_num_threads(1)


def write_tiny_llava(folder: Path) -> Path:
    """Write a LLaVA (CLIP tower, Llama text model) to ``folder`` and return it."""
    from transformers import LlavaConfig, LlavaForConditionalGeneration, LlavaProcessor
    from transformers.models.llava.image_processing_pil_llava import LlavaImageProcessorPil

    tokenizer = _tokenizer(_SPECIALS, bos="<s>", eos="</s>", pad="<pad>")
    size = {"shortest_edge": SIDE_PX}
    crop = {"height": SIDE_PX, "width": SIDE_PX}
    processor = LlavaProcessor(
        image_processor=LlavaImageProcessorPil(size=size, crop_size=crop),
        tokenizer=tokenizer,
        patch_size=PATCH_PX,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=_LLAVA_TEMPLATE,
    )
    config = LlavaConfig(
        vision_config=_clip(),
        text_config=_llama(tokenizer),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_seq_length=(SIDE_PX // PATCH_PX) ** 2,
        vision_feature_layer=-2,
        **_token_ids(tokenizer),
    )
    return _save(LlavaForConditionalGeneration, config, processor, folder)


def write_tiny_llava_next(folder: Path) -> Path:
    """Write a LLaVA-NeXT to ``folder`` and return it: tiles in a grid that goes by the image's aspect."""
    from transformers import LlavaNextConfig, LlavaNextForConditionalGeneration, LlavaNextProcessor
    from transformers.models.llava_next.image_processing_pil_llava_next import (
        LlavaNextImageProcessorPil,
    )

    tokenizer = _tokenizer(_SPECIALS, bos="<s>", eos="</s>", pad="<pad>")
    size = {"shortest_edge": SIDE_PX}
    crop = {"height": SIDE_PX, "width": SIDE_PX}
    grids = [[SIDE_PX, 2 * SIDE_PX], [2 * SIDE_PX, SIDE_PX], [2 * SIDE_PX, 2 * SIDE_PX]]
    processor = LlavaNextProcessor(
        image_processor=LlavaNextImageProcessorPil(
            size=size, crop_size=crop, image_grid_pinpoints=grids
        ),
        tokenizer=tokenizer,
        patch_size=PATCH_PX,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=_LLAVA_TEMPLATE,
    )
    config = LlavaNextConfig(
        vision_config=_clip(),
        text_config=_llama(tokenizer),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_grid_pinpoints=grids,
        image_seq_length=(SIDE_PX // PATCH_PX) ** 2,
        vision_feature_layer=-2,
        **_token_ids(tokenizer),
    )
    return _save(LlavaNextForConditionalGeneration, config, processor, folder)


def write_tiny_qwen2_vl(folder: Path) -> Path:
    """Write a Qwen2-VL to ``folder`` and return it; images of up to 448 x 448 px are not made smaller."""
    from transformers import Qwen2VLConfig, Qwen2VLForConditionalGeneration
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import (
        Qwen2VLImageProcessorPil,
    )

    tokenizer = _tokenizer(_QWEN_SPECIALS, bos=None, eos="<|im_end|>", pad="<|endoftext|>")
    tokenizer.chat_template = _QWEN_TEMPLATE
    image_processor = Qwen2VLImageProcessorPil(
        size={"shortest_edge": 56 * 56, "longest_edge": 448 * 448}
    )
    heads = 2
    half = _HIDDEN // heads // 2
    text = {
        **_text_shape(tokenizer, heads),
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10_000.0,
            "mrope_section": [half - 2 * (half // 3), half // 3, half // 3],
        },
    }
    vision = {
        "depth": 2,
        "embed_dim": _HIDDEN,
        "hidden_size": _HIDDEN,
        "num_heads": 4,
        "mlp_ratio": 2,
        "patch_size": PATCH_PX,
        "initializer_range": 0.2,
    }
    ids = {
        name: tokenizer.convert_tokens_to_ids(token)
        for name, token in {
            "image_token_id": "<|image_pad|>",
            "video_token_id": "<|video_pad|>",
            "vision_start_token_id": "<|vision_start|>",
            "vision_end_token_id": "<|vision_end|>",
        }.items()
    }
    config = Qwen2VLConfig(text_config=text, vision_config=vision, **ids, **_token_ids(tokenizer))
    _save(Qwen2VLForConditionalGeneration, config, tokenizer, folder)
    # Without torchvision there is no video processor, and so no processor that could save itself; this is the layout
    # of the published repositories.
    image_processor.save_pretrained(folder)
    preprocessing = folder / "preprocessor_config.json"
    described = json.loads(preprocessing.read_text(encoding="utf-8"))
    described["processor_class"] = "Qwen2VLProcessor"
    preprocessing.write_text(json.dumps(described, indent=2), encoding="utf-8")
    return folder


def write_tiny_idefics2(folder: Path) -> Path:
    """Write an Idefics2 to ``folder`` and return it: 8 tokens for each image, whatever its size."""
    from transformers import (
        Idefics2Config,
        Idefics2ForConditionalGeneration,
        Idefics2Processor,
        MistralConfig,
    )
    from transformers.models.idefics2.image_processing_pil_idefics2 import (
        Idefics2ImageProcessorPil,
    )

    around = ("<fake_token_around_image>", "<end_of_utterance>")
    tokenizer = _tokenizer((*_SPECIALS, *around), bos="<s>", eos="</s>", pad="<pad>")
    size = {"shortest_edge": SIDE_PX // 2, "longest_edge": SIDE_PX}
    processor = Idefics2Processor(
        Idefics2ImageProcessorPil(size=size, do_image_splitting=False),
        tokenizer,
        image_seq_len=8,
        chat_template=_LLAVA_TEMPLATE,
    )
    vision = {
        "hidden_size": _HIDDEN,
        "intermediate_size": 2 * _HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "image_size": SIDE_PX,
        "patch_size": PATCH_PX,
        "initializer_range": 0.2,
    }
    perceiver = {
        "hidden_size": _HIDDEN,
        "resampler_n_latents": 8,
        "resampler_depth": 1,
        "resampler_n_heads": 4,
        "resampler_head_dim": 16,
        "num_key_value_heads": 2,
        "initializer_range": 0.2,
    }
    config = Idefics2Config(
        vision_config=vision,
        text_config=MistralConfig(**_text_shape(tokenizer, heads=4)).to_dict(),
        perceiver_config=perceiver,
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        **_token_ids(tokenizer),
    )
    return _save(Idefics2ForConditionalGeneration, config, processor, folder)


def write_adapter(checkpoint: Path, folder: Path, seed: int = 0, **config: object) -> Path:
    """Put an adapter with weights by chance, as training leaves it, into ``folder`` and return it."""
    require_transformers()
    pytest.importorskip("peft", reason="peft is not installed: pip install -e '.[adapters]'")
    import peft
    import torch
    import transformers

    model = transformers.AutoModelForImageTextToText.from_pretrained(checkpoint)
    torch.manual_seed(seed)
    # Eyes, what lies between, and language; B is not zero.
    chosen = {"target_modules": r".*\.(q_proj|v_proj|qkv|linear_1|mlp\.0|down_proj)"} | config
    lora = peft.LoraConfig(r=4, lora_alpha=8, init_lora_weights=False, **chosen)
    peft.get_peft_model(model, lora).save_pretrained(folder)
    return folder


def write_tiny_token_classifier(
    folder: Path, words: dict[str, str], labels: tuple[str, ...]
) -> Path:
    """Write a BERT that gives each word the label that it is told, and return its folder; 64 positions.

    Attention and feed-forward layers add nothing, so a token's label follows from its own embedding alone.

    Args:
        folder: Where to.
        words: Lower-case word, or ``##`` and a later piece of one, to one of the labels.
        labels: The checkpoint's labels; the first one is that of whatever it does not know.
    """
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForTokenClassification, PreTrainedTokenizerFast

    vocabulary = {name: at for at, name in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", *words))}
    pieces = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    pieces.normalizer = normalizers.BertNormalizer()
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer = PreTrainedTokenizerFast(
        **{"tokenizer_object": pieces, "unk_token": "[UNK]", "pad_token": "[PAD]"},
        **{"cls_token": "[CLS]", "sep_token": "[SEP]"},
    )
    config = BertConfig(
        **{"vocab_size": len(vocabulary), "hidden_size": 32, "intermediate_size": 32},
        **{"num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 64},
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = BertForTokenClassification(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "LayerNorm.weight" not in name:
                weight.zero_()
        of_label = torch.eye(len(labels), 32)
        model.classifier.weight.copy_(of_label)
        embeddings = model.bert.embeddings.word_embeddings.weight
        embeddings[:] = of_label[0]
        for word, label in words.items():
            embeddings[vocabulary[word]] = of_label[labels.index(label)]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def write_tiny_language_model(folder: Path) -> Path:
    """Write a Llama with tokenizer and chat template to ``folder`` and return it."""
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _tokenizer(_SPECIALS, bos="<s>", eos="</s>", pad="<pad>")
    tokenizer.chat_template = _LLAVA_TEMPLATE
    config = LlamaConfig(**_llama(tokenizer).to_dict())
    return _save(LlamaForCausalLM, config, tokenizer, folder)


def _tokenizer(specials, bos, eos, pad):
    """Make a tokenizer of bytes: 256 symbols and the specials, nothing learned."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    symbols = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate((*specials, *symbols))}
    bytes_only = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytes_only.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_only.decoder = decoders.ByteLevel()
    bytes_only.add_special_tokens(list(specials))
    return PreTrainedTokenizerFast(
        tokenizer_object=bytes_only,
        bos_token=bos,
        eos_token=eos,
        pad_token=pad,
        padding_side="left",
        additional_special_tokens=[token for token in specials if token not in (bos, eos, pad)],
    )


def _clip():
    from transformers import CLIPVisionConfig

    return CLIPVisionConfig(
        hidden_size=_HIDDEN,
        intermediate_size=2 * _HIDDEN,
        projection_dim=_HIDDEN,
        num_hidden_layers=3,
        num_attention_heads=4,
        image_size=SIDE_PX,
        patch_size=PATCH_PX,
        initializer_factor=5.0,
    )


def _llama(tokenizer):
    from transformers import LlamaConfig

    return LlamaConfig(**_text_shape(tokenizer, heads=4))


def _text_shape(tokenizer, heads: int) -> dict:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": _HIDDEN,
        "intermediate_size": 2 * _HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": heads,
        "num_key_value_heads": heads,
        "max_position_embeddings": POSITIONS,
        "initializer_range": 0.2,
        **_token_ids(tokenizer),
    }


def _token_ids(tokenizer) -> dict:
    return {
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }


def _save(architecture, config, processor, folder: Path) -> Path:
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(20250101)
        model = architecture(config)
    _speak_in_printable_characters(model, processor)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def _speak_in_printable_characters(model, processor) -> None:
    """Leave only ASCII and the end of the answer to be said, so that no byte gets lost in text."""
    import torch

    tokenizer = getattr(processor, "tokenizer", processor)
    sayable = {tokenizer.eos_token_id}
    sayable.update(tokenizer.convert_tokens_to_ids(["Ġ", *map(chr, range(0x21, 0x7F))]))
    silent = [number for number in range(len(tokenizer)) if number not in sayable]
    with torch.no_grad():
        model.get_output_embeddings().weight[silent] = 0.0
