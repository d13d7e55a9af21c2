"""An optional part that is missing says which command installs it."""

import json

import pytest

from metatac.errors import MetatacError, MissingExtra
from metatac.extras import need


def test_an_installed_module_is_imported() -> None:
    assert need("json", extra="rl") is json


def test_a_missing_module_names_the_command() -> None:
    with pytest.raises(MissingExtra, match=r'^no_such_library is .*; pip install "metatac\[rl\]"$'):
        need("no_such_library.part", extra="rl")
    assert issubclass(MissingExtra, (MetatacError, ImportError))
