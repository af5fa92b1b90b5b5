"""Keys of pseudonyms: where they come from, and which are refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shoal.errors import InputError, ShoalError
from shoal.read.key import Key, key_of, key_of_environment, read_key
from shoal.write.key import write_key

SECRET = "correct horse battery staple, and more"


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "my.key"
    path.write_text(SECRET + "\n")
    path.chmod(0o600)
    return path


def test_a_key_file_is_read_without_the_end_of_its_line(file):
    key = read_key(file)

    assert key.secret == SECRET.encode()
    assert key.notes == ()


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_how_the_line_ends_does_not_change_the_key(file, ending):
    file.write_bytes((SECRET + ending).encode())

    assert read_key(file).secret == SECRET.encode()


def test_python_gives_bytes_a_path_or_the_name_of_a_file(file):
    given = [SECRET.encode(), file, str(file), Key(SECRET.encode())]

    assert [key_of(one).secret for one in given] == [SECRET.encode()] * 4


def test_the_environment_has_a_key_or_none(monkeypatch):
    monkeypatch.delenv("SHOAL_KEY", raising=False)
    assert key_of_environment() is None
    monkeypatch.setenv("SHOAL_KEY", "")
    assert key_of_environment() is None
    monkeypatch.setenv("SHOAL_KEY", SECRET)
    assert key_of_environment().secret == SECRET.encode()


def test_a_new_key_is_long_random_and_readable_by_its_owner_alone(tmp_path):
    for name in ("a.key", "b.key"):
        write_key(tmp_path / name)
    first, second = (read_key(tmp_path / name) for name in ("a.key", "b.key"))

    assert len(bytes.fromhex(first.secret.decode())) == 32
    assert first.secret != second.secret
    assert first.notes == ()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o777])
def test_a_key_that_others_may_read_or_change_gets_a_note(file, mode):
    file.chmod(mode)

    (note,) = read_key(file).notes

    assert "chmod 600" in note
    assert SECRET not in note


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SECRET[:31], "31 bytes"),
        ("", "0 bytes"),
        ("x" * 64, "repeats 1 character,"),
        ("0123456" * 8, "repeats 7 characters,"),
        (SECRET * 200, "more than 4,096 bytes"),
    ],
)
def test_a_key_that_can_be_guessed_is_refused_with_the_command_that_makes_one(file, content, words):
    file.write_text(content)

    with pytest.raises(InputError, match="`shoal key FILE`") as refused:
        read_key(file)

    assert words in str(refused.value)
    assert "correct" not in str(refused.value)


def test_eight_different_characters_are_enough(file):
    file.write_text("01234567" * 4)

    assert read_key(file).secret == b"01234567" * 4


def test_a_key_file_that_is_not_there_is_named_with_the_remedy(tmp_path):
    with pytest.raises(InputError, match=r"none\.key: there is no such key file.*shoal key"):
        read_key(tmp_path / "none.key")


@pytest.mark.parametrize("key", ["0123456789abcdef" * 4, "0123456789abcdef" * 32])
def test_a_key_in_place_of_the_name_of_its_file_is_not_shown(key):
    for refuse in (lambda: read_key(Path(key)), lambda: key_of(key)):
        with pytest.raises(InputError) as refused:
            refuse()
        assert "0123456789abcdef" not in str(refused.value)


def test_a_folder_is_not_a_key(tmp_path):
    with pytest.raises(InputError, match="the key cannot be read"):
        read_key(tmp_path)


def test_a_key_that_python_gives_as_text_is_refused_and_not_shown():
    with pytest.raises(InputError, match="as bytes") as refused:
        key_of(SECRET)

    assert "horse" not in str(refused.value)


def test_no_refusal_shows_the_key(file, monkeypatch):
    short = SECRET[:20]
    file.write_text(short)
    monkeypatch.setenv("SHOAL_KEY", short)
    messages = []
    for refuse in (
        lambda: read_key(file),
        lambda: key_of(short),
        lambda: key_of(short.encode()),
        key_of_environment,
    ):
        with pytest.raises(ShoalError) as refused:
            refuse()
        messages.append(str(refused.value))

    assert not any("horse" in message for message in messages)
    assert "horse" not in repr(Key(SECRET.encode()))
    assert os.environ["SHOAL_KEY"] == short


def test_a_key_of_another_kind_is_refused():
    with pytest.raises(InputError, match="must be bytes, or the name of the key's file"):
        key_of(123)
