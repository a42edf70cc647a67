# SPDX-License-Identifier: Apache-2.0
"""Messages of the library name the options of the command; here they are the keyword arguments that say the same."""
import re
import shlex

# A word as a shell takes it, in quotes or not; what follows it in a sentence is none of it.
_WORD = r"""('(?:[^']|'\\'')*'|[^\s,;.()']+(?:[,.=][^\s,;.()']+)*)"""
_OPTION = re.compile(r"-O (?:" + _WORD + r"|([a-z_-]+=)(?=[\s,;.)]|$))")
_VALUE = re.compile(r"--(columns|platform|unit|digits|start)\b(?: " + _WORD + r")?")
_FLAGS = {"--start:": "start:", "--strict-input": "strict_input=True", "--exact-times": "exact_times=True"}


def _value(name: str, word: str) -> str:
    text = shlex.split(word)[0]
    if name == "platform":
        counts = (item.rpartition("=") for item in re.findall(r'(?:"(?:[^"]|"")*"|[^,"])+', text))
        return "{" + ", ".join(f'"{key.strip(chr(34))}": {count}' for key, _, count in counts) + "}"
    return text if name == "digits" else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _option(found: "re.Match[str]") -> str:
    key, _, value = (shlex.split(found.group(1))[0] if found.group(1) else found.group(2)).partition("=")
    shown = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if value else "..."
    return f'options={{"{key}": {shown}}}'


def _argument(found: "re.Match[str]") -> str:
    name, word = found.group(1), found.group(2)
    is_value = word is not None and (word[0] == "'" or {"columns": re.search(r"[,=]|^NAME|^cpu$|^gpu$", word),
                                                        "platform": re.search("=", word), "digits": re.search(r"^\d+$", word), "start": word[0].isdigit(),
                                                        "unit": len(word) < 4 and word not in ("to", "or")}[name])
    return f"{name}={_value(name, word)}" if is_value else f"{name}=" + ("" if word is None else f" {word}")


def in_python(text: str) -> str:
    """The same message for who calls the module."""
    for flag, argument in _FLAGS.items():
        text = text.replace(flag, argument)
    try:
        return _VALUE.sub(_argument, _OPTION.sub(_option, text))
    except ValueError:  # a quote that is never closed, where a message is cut
        return text
