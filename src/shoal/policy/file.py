"""A policy file as plain values, with the line of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from shoal.errors import InputError, KeyPath, PolicyError
from shoal.read.steady import steady

DEEPEST = 60  # keys inside keys
MOST_BYTES = 16_000_000
MOST_VALUES = 500_000  # keys, items and texts, those that an alias repeats counted each time


class PolicyFile(NamedTuple):
    """Mappings, lists and texts as they are in the file, and the line of every key.

    Scalars stay the text that was written (`NO` is Norway, 1.10 is not 1.1); code that needs a
    number parses it.
    """

    content: dict[str, Any]
    lines: dict[KeyPath, int]


def read_policy_file(path: Path) -> PolicyFile:
    try:
        with steady(path), path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise InputError(
                f"{path} has more than {MOST_BYTES:,} bytes, which is too large for a policy. "
                "Put large hierarchies into files of their own."
            )
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(
            f"{path}: there is no such policy file. `shoal init` writes one."
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: the policy is not UTF-8 text.") from None
    except OSError as error:
        raise InputError(f"{path}: the policy cannot be read ({error.strerror}).") from None
    return parse_policy(text)


def parse_policy(text: str) -> PolicyFile:
    """The text of a policy file."""
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        problem = (error.problem or error.context or "").partition("'")[0].strip()  # no quotation
        raise PolicyError(f"this is not YAML: {problem or 'see this line'}", line=line) from None
    except yaml.YAMLError:
        raise PolicyError("this is not YAML: it contains a character that is not allowed") from None
    if not isinstance(root, yaml.MappingNode):
        raise PolicyError("a policy begins with keys such as `columns:` and `privacy:`", line=1)
    lines: dict[KeyPath, int] = {}
    return PolicyFile(_plain(root, (), lines, _Counter()), lines)


class _Counter:
    """Refuses what is too large before it takes memory: a few lines of aliases can be a billion."""

    def __init__(self) -> None:
        self.n_values = 0

    def count(self, line: int, depth: int) -> None:
        self.n_values += 1
        if depth > DEEPEST:
            raise PolicyError("keys go too deep here; does an alias contain itself?", (), line)
        if self.n_values > MOST_VALUES:
            raise PolicyError(
                f"up to here there are more than {MOST_VALUES:,} values, those repeated by aliases "
                "included. Put large hierarchies into files of their own",
                (),
                line,
            )


class _Loader(yaml.SafeLoader):
    """Refuses, while nodes are made, too many of them and those that go too deep."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._counter = _Counter()
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        line = self.peek_event().start_mark.line + 1  # type: ignore[no-untyped-call]
        self._counter.count(line, self._depth - 1)
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _plain(node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int], counter: _Counter) -> Any:
    lines[path] = node.start_mark.line + 1
    counter.count(lines[path], len(path))
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise PolicyError("a key must be a plain word", path, line)
            if key.value in result:
                # Inside a hierarchy keys are values of the data, which are not shown.
                name = f" {key.value!r}" if len(path) <= 2 else ""
                raise PolicyError(f"duplicate key{name}", path[:3], line)
            result[key.value] = _plain(value, (*path, key.value), lines, counter)
            lines[(*path, key.value)] = line
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, i), lines, counter) for i, item in enumerate(node.value)]
    return None if node.tag == "tag:yaml.org,2002:null" else node.value
