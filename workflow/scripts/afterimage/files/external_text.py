"""Text files of others: an encoding is taken where it is certain and refused elsewhere. Standard library only.

Certain are a byte order mark, bytes that are UTF-8, UTF-16 whose every second byte is zero where letters are plain, and
Shift_JIS (code page 932) with the hiragana that no other encoding of the same bytes has.
"""

import codecs
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

from afterimage.errors import AfterimageError, fault

#: How a gzipped file begins.
GZIP = b"\x1f\x8b"
#: Twice what the largest annotations of COCO and LVIS are; what unpacks to more is a bomb.
MAX_BYTES = 2 << 30
_GZIP_ONLY = 31


def gunzipped(packed: bytes) -> bytes:
    """Return what a gzipped file holds, all its members.

    Raises:
        EOFError: It is cut off.
        OSError: It unpacks to more than :data:`MAX_BYTES`, or what is behind a member is none.
        zlib.error: It is no gzip.
    """
    content, is_whole = gunzipped_so_far(packed)
    if not is_whole:
        raise EOFError("packed, and cut off or damaged")
    return content


def gunzipped_so_far(packed: bytes) -> tuple[bytes, bool]:
    """Return what can be unpacked of a gzipped file, and whether that is all of it.

    Raises:
        OSError: It unpacks to more than :data:`MAX_BYTES`.
    """
    content = bytearray()
    # One byte more than is allowed is enough to know.
    while packed.startswith(GZIP):
        member = zlib.decompressobj(wbits=_GZIP_ONLY)
        try:
            content += member.decompress(packed, MAX_BYTES + 1 - len(content))
        except zlib.error:
            return bytes(content), False
        if len(content) > MAX_BYTES:
            raise OSError(f"it unpacks to more than {MAX_BYTES >> 20} MiB")
        if not member.eof:
            return bytes(content), False
        packed = member.unused_data
    # Some programs fill up with zeros.
    return bytes(content), not packed.strip(b"\0")


#: How to make a spreadsheet write a readable file.
SAVE_AS = "in Excel: save as 'CSV UTF-8 (comma delimited)'"
# The longer marks first: that of UTF-16 is the beginning of that of UTF-32.
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_ARCHIVE = b"PK\x03\x04"
# What a file that is no text begins with.
_NO_TEXTS = {
    b"\xd0\xcf\x11\xe0": ".xls",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF",
    b"{\\rtf": "a text with formats (.rtf)",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
    b"\x28\xb5\x2f\xfd": "packed with Zstandard",
    b"SQLite format 3": "a database of SQLite",
    b"version https://git-lfs": "a pointer of Git LFS, not the file itself (git lfs pull)",
}
_WORKBOOKS = (".xls", ".xlsx", ".ods")
_HALF_WIDTH_KATAKANA = range(0xFF61, 0xFFA0)
_HIRAGANA = range(0x3041, 0x3097)
_PRIVATE = range(0xE000, 0xF900)
# Kanji from here on are rare, and what Cyrillic or Chinese in other encodings becomes.
_RARE_KANJI = 0x989F
_MAX_RARE = 0.1


def read_text_file(path: str | Path, expected: str, save_as: str = SAVE_AS) -> str:
    """Return what a text file of others holds, unpacked if it is gzipped, whatever its name.

    Args:
        expected: What it should be, for messages.
        save_as: How to make a readable one, for messages.

    Raises:
        AfterimageError: There is no such file, or it is no text whose encoding is certain.
    """
    file = Path(path)
    if not file.is_file():
        found = "is a folder" if file.is_dir() else "no such file"
        raise AfterimageError(f"{path}: {found}; expected {expected}.")
    try:
        data = file.read_bytes()
        data = gunzipped(data) if data.startswith(GZIP) else data
    except (OSError, EOFError, zlib.error) as error:
        raise AfterimageError(f"{path}: cannot be read ({error}); expected {expected}.") from None
    return decoded(data, path, save_as)


def decoded(data: bytes, where: str | Path, save_as: str = SAVE_AS) -> str:
    """Return bytes as the text that they certainly are, without a byte order mark.

    Bytes at the end that begin a character of UTF-8 and do not complete it are left out: the file was cut off there.

    Raises:
        AfterimageError: They are no text, or of no certain encoding; names the first such byte and its place.
    """
    _require_text(data, where, save_as)
    code = next((code for mark, code in _MARKS.items() if data.startswith(mark)), None)
    if code is None:
        code = _sixteen_bits(data) if b"\0" in data else "utf-8"
    try:
        text = data.decode(code)
    except UnicodeDecodeError as error:
        text = _otherwise(data, code, error, where, save_as)
    # Files with marks that were joined have marks within.
    text = text.replace("\n\ufeff", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise fault(
            where,
            f"line {line}: found a zero byte, which no text has; expected a text in UTF-8 ({save_as}).",
        )
    return text


def _otherwise(
    data: bytes, code: str, error: UnicodeDecodeError, where: str | Path, save_as: str
) -> str:
    """Return text that is not in its likeliest encoding: cut off within a character, or Shift_JIS.

    Raises:
        AfterimageError: It is neither.
    """
    if code in ("utf-8", "utf-8-sig"):
        if error.reason == "unexpected end of data" and error.end == len(data):
            return data[: error.start].decode(code)
        if code == "utf-8" and _is_shift_jis(data):
            return data.decode("cp932")
    line = data.count(b"\n", 0, error.start) + 1
    offset = error.start - data.rfind(b"\n", 0, error.start)
    name = "UTF-8" if code.startswith("utf-8") else code.upper()
    raise fault(
        where,
        f"line {line}, byte {offset}: found the byte 0x{data[error.start]:02x}, which is not {name} (the "
        f"file is neither UTF-8 nor Shift_JIS nor UTF-16 beyond doubt); expected UTF-8 ({save_as}).",
    ) from None


def _require_text(data: bytes, where: str | Path, save_as: str) -> None:
    found = next((what for start, what in _NO_TEXTS.items() if data.startswith(start)), None)
    if data.startswith(_ARCHIVE):
        found = _archive(data)
    if found in _WORKBOOKS:
        raise fault(
            where, f"is a workbook; expected it saved as CSV in UTF-8 (found {found}; {save_as})."
        )
    if found is not None:
        raise fault(where, f"is {found}; expected a text in UTF-8 ({save_as}).")


def _archive(data: bytes) -> str:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        names = ["xl/"]
    if any(name.startswith("xl/") for name in names):
        return ".xlsx"
    return ".ods" if "content.xml" in names else "a ZIP archive"


def _sixteen_bits(data: bytes) -> str:
    """Return which order the halves of UTF-16 without a mark have; of anything else UTF-8."""
    first, second = data[::2].count(0), data[1::2].count(0)
    # A header of plain letters makes zeros of one half; the other has few, such as that of U+4E00.
    if min(first, second) * 10 > max(first, second) or max(first, second) * 4 < len(data):
        return "utf-8"
    return "utf-16-le" if second > first else "utf-16-be"


def _is_shift_jis(data: bytes) -> bool:
    """Tell whether bytes can only be Japanese in code page 932.

    The accents of Western encodings are single and make no hiragana, whose two bytes are both above 0x81; what is
    Chinese, Korean, Cyrillic or another Japanese encoding becomes half-width katakana, rare kanji or private signs.
    """
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        return False
    wide = [sign for sign in text if not sign.isascii()]
    codes = [ord(sign) for sign in wide]
    if any(code in _HALF_WIDTH_KATAKANA or code in _PRIVATE or code < 0xA0 for code in codes):
        return False
    rare = sum(int.from_bytes(sign.encode("cp932")) >= _RARE_KANJI for sign in wide)
    return any(code in _HIRAGANA for code in codes) and rare <= _MAX_RARE * len(wide)
