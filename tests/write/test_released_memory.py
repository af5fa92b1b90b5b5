"""A released frame carries its cells and nothing else: it is searched byte by byte for secrets."""

from __future__ import annotations

import datetime
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from cases.serialised import forms_of, holds
from shoal.errors import InputError

LONG = "the secret of somebody who is suppressed"  # views store it apart from the row
SHORT = "Secret-9"  # and this within the row
NUMBER = 0x5345_4352_4554_3132  # as nanoseconds since 1970, a day in the year 2160
SECRETS = (LONG, SHORT, NUMBER)
GONE = 3  # the row that is suppressed
AGES = ["1", "2", "1", "77", "2", "1"]
TEXTS = ["some long text, number 4", "b", "some long text, number 9", LONG, "b", "some other text"]
SHORTS = ["x", "y", None, SHORT, "x", "y"]
NUMBERS = [4, 2, 6, NUMBER, 2, 4]
MISSING = 2  # a row that stays and has no value here, though memory may hold one


def release_of(frame):
    return shoal.anonymize(
        frame,
        quasi={"age": shoal.tree(["1", "2"])},
        keep=["kept"],
        sensitive=["note"],
        identifiers=["name"],
        privacy=[shoal.KAnonymity(2)],
        unknown="suppress",
        suppression=0.2,
    )


def assert_clean(frame):
    found = [
        f"{what} in {form}"
        for form, content in forms_of(frame).items()
        for what in SECRETS
        if holds(content, what)
    ]
    assert found == []


def with_others(kept, make):
    """The table around a kept column; identifiers are secret too."""
    return make({"name": [LONG] * 6, "age": AGES, "kept": kept, "note": SHORTS})


def hidden_in_arrow(is_text):
    """An array whose third value is missing, with a secret behind it."""
    valid = pa.py_buffer(bytes([0b111011]))
    if not is_text:
        numbers = [NUMBER if i == MISSING else n for i, n in enumerate(NUMBERS)]
        return pa.Array.from_buffers(
            pa.int64(), 6, [valid, pa.py_buffer(np.array(numbers).tobytes())]
        )
    texts = [LONG if i == MISSING else text for i, text in enumerate(TEXTS)]
    ends = np.cumsum([0, *map(len, texts)])
    content = pa.py_buffer("".join(texts).encode())
    return pa.Array.from_buffers(
        pa.large_string(), 6, [valid, pa.py_buffer(ends.astype(np.int64).tobytes()), content]
    )


def masked(values):
    """Nested values of which the third is missing, with its items still there."""
    return pa.array([i == MISSING for i in range(6)]), pa.array(values)


def hidden_list():
    mask, items = masked([LONG if i == MISSING else text for i, text in enumerate(TEXTS)])
    return pa.LargeListArray.from_arrays(pa.array(range(7), pa.int64()), items, mask=mask)


def hidden_struct():
    mask, parts = masked([LONG if i == MISSING else text for i, text in enumerate(TEXTS)])
    return pa.StructArray.from_arrays([parts], ["f"], mask=mask)


def hidden_fixed():
    mask, items = masked([LONG if i == MISSING else text for i, text in enumerate(TEXTS)])
    return pa.FixedSizeListArray.from_arrays(items, 1, mask=mask)


HIDDEN = {
    "number": lambda: hidden_in_arrow(is_text=False),
    "text": lambda: hidden_in_arrow(is_text=True),
    "list": hidden_list,
    "struct": hidden_struct,
    "fixed": hidden_fixed,
}


# polars

MOMENTS = pl.Series(NUMBERS).cast(pl.Datetime("ns", "Europe/Berlin"))
POLARS = {
    "text": pl.Series(TEXTS),
    "short": pl.Series(SHORTS),
    "binary": pl.Series([text.encode() for text in TEXTS]),
    "number": pl.Series(NUMBERS),
    "categorical": pl.Series(TEXTS, dtype=pl.Categorical),
    "enum": pl.Series(TEXTS, dtype=pl.Enum(sorted({*TEXTS, "none has it"}))),
    "moment": MOMENTS,
    "duration": pl.Series(NUMBERS).cast(pl.Duration("ns")),
    "decimal": pl.Series([Decimal(n) / 100 for n in NUMBERS], dtype=pl.Decimal(38, 2)),
    "wide": pl.Series(NUMBERS, dtype=pl.Int128),
    "list": pl.Series([[text, "b"] for text in TEXTS]),
    "list of categories": pl.Series([[text] for text in TEXTS], dtype=pl.List(pl.Categorical)),
    "array": pl.Series([[text] for text in TEXTS], dtype=pl.Array(pl.String, 1)),
    "struct": pl.Series([{"f": text, "g": [text]} for text in TEXTS]),
    "no field": pl.Series([{}] * 6, dtype=pl.Struct({})),
    "nothing": pl.Series([None] * 6),
}


@pytest.mark.parametrize("name", POLARS)
def test_polars_frames_are_clean(name):
    released = release_of(with_others(POLARS[name], pl.DataFrame)).frame

    assert_clean(released)
    if name != "enum":
        assert released["kept"].dtype == POLARS[name].dtype


@pytest.mark.parametrize("name", HIDDEN)
def test_polars_frames_have_nothing_behind_missing_values(name):
    frame = with_others(pl.from_arrow(HIDDEN[name]()), pl.DataFrame)

    released = release_of(frame).frame

    assert_clean(released)
    assert released["kept"].null_count() == 1


@pytest.mark.parametrize("name", sorted(set(POLARS) - {"enum"}))  # whose type lists the value
def test_a_slice_of_a_polars_frame_leads_to_nothing_around_it(name):
    whole = with_others(POLARS[name], pl.DataFrame)
    parts = pl.concat([whole[:GONE], whole[GONE + 1 :]], rechunk=False)

    assert_clean(release_of(parts).frame)


def test_polars_objects_lead_to_nothing_around_them():
    whole = np.array(TEXTS)
    frame = with_others([whole[i : i + 1] for i in range(6)], pl.DataFrame)
    frame = frame.with_columns(pl.Series("kept", frame["kept"].to_list(), dtype=pl.Object))

    released = release_of(frame).frame

    assert not any(np.shares_memory(value, whole) for value in released["kept"])


def test_cells_of_suppressed_records_are_not_behind_those_of_others():
    ages = ["the age of the first", "the age of the other"]
    known = pl.DataFrame({"age": [*ages, LONG] * 2})
    recoding = shoal.anonymize(
        known,
        quasi={"age": shoal.tree([*ages, LONG])},
        privacy=[shoal.KAnonymity(2)],
        algorithm="flash",
        suppression=0.2,
    ).recoding

    released = recoding.apply(pl.DataFrame({"age": [*ages, *ages, LONG]})).frame

    assert released["age"].to_list() == sorted([*ages, *ages])
    assert_clean(released)


# several tables

PEOPLE = {"mrn": list("abcdef"), "age": AGES, "kept": TEXTS}
VISITS = {"mrn": list("fedcba"), "ward": TEXTS[::-1]}


@pytest.mark.parametrize("key", ["identifier", "pseudonym"])
@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, pa.table])
def test_tables_of_the_same_people_are_clean(make, key):
    columns = {"mrn": key, "age": {"role": "quasi", "hierarchy": {"tree": ["1", "2"]}}}
    policy = {
        "tables": {
            "people": {"columns": {**columns, "kept": "keep"}},
            "visits": {"key": {"mrn": "people"}, "columns": {"mrn": key, "ward": "keep"}},
        },
        "person": "mrn",
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "unknown": "suppress",
        "suppression": 0.2,
    }

    release = shoal.anonymize_tables({"people": make(PEOPLE), "visits": make(VISITS)}, policy)

    assert [len(frame) for frame in release.frames.values()] == [5, 5]
    for name, frame in release.frames.items():
        assert_clean(frame)
        assert_clean(release.tables[name].published)


def test_the_published_table_behind_another_kind_of_frame_is_clean():
    assert_clean(release_of(with_others(pd.Series(TEXTS), pd.DataFrame)).records())


# pyarrow


class Marked(pa.ExtensionType):
    """A type of somebody else, over text."""

    def __init__(self):
        super().__init__(pa.string(), "tests.marked")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type, serialized):
        return cls()


def dictionary(values=TEXTS):
    return pa.array(values).dictionary_encode()


def ordered_dictionary():
    codes = pa.array([1, 0, 2, 3, 0, 1], pa.int8())
    return pa.DictionaryArray.from_arrays(codes, ["low", "middle", "high", LONG], ordered=True)


def list_of(items, make=pa.ListArray, offset_type=pa.int32()):  # noqa: B008
    return make.from_arrays(pa.array(range(7), offset_type), items)


def unions():
    codes = pa.array([0, 1, 0, 0, 1, 0], pa.int8())
    texts, numbers = pa.array(TEXTS), pa.array(NUMBERS)
    hidden = pa.array([LONG] * 6)
    mixed = pa.array([t if c == 0 else LONG for t, c in zip(TEXTS, codes.to_pylist(), strict=True)])
    offsets = pa.array([0, 1, 2, 3, 4, 5], pa.int32())
    return {
        "dense union": pa.UnionArray.from_dense(codes, offsets, [texts, numbers]),
        "sparse union": pa.UnionArray.from_sparse(codes, [mixed, numbers]),
        "union of three": pa.UnionArray.from_sparse(codes, [mixed, numbers, hidden]),
    }


def uuids():
    """A type of newer versions of pyarrow."""
    if not hasattr(pa, "uuid"):
        return {}
    texts = pa.array([uuid.UUID(int=n).bytes for n in NUMBERS], pa.binary(16))
    return {"uuid": pa.ExtensionArray.from_storage(pa.uuid(), texts)}


PYARROW = {
    "text": pa.array(TEXTS),
    "short": pa.array(SHORTS),
    "large text": pa.array(TEXTS, pa.large_string()),
    "text view": pa.array(TEXTS, pa.string_view()),
    "binary view": pa.array([t.encode() for t in TEXTS], pa.binary_view()),
    "binary": pa.array([t.encode() for t in TEXTS]),
    "fixed binary": pa.array([t[:1].encode() * 8 for t in TEXTS], pa.binary(8)),
    "number": pa.array(NUMBERS),
    "moment": pa.array(NUMBERS).cast(pa.timestamp("ns", "Europe/Berlin")),
    "decimal": pa.array([Decimal(n) for n in NUMBERS], pa.decimal128(38)),
    "truth": pa.array([True, False, None, True, None, False]),
    "nothing": pa.nulls(6),
    "dictionary": dictionary(),
    "small dictionary": dictionary().cast(pa.dictionary(pa.int8(), pa.large_string())),
    "ordered dictionary": ordered_dictionary(),
    "dictionary of numbers": dictionary(NUMBERS),
    "dictionary with doubles": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 3, 4, 2, None], pa.int8()), ["b", "c", "b", None, LONG]
    ),
    "dictionary of lists": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 1, 2, 0, 0]), pa.array([["a"], ["b"], [LONG]])
    ),
    "list": list_of(pa.array(TEXTS)),
    "large list": list_of(pa.array(TEXTS), pa.LargeListArray, pa.int64()),
    "list view": pa.ListViewArray.from_arrays(
        pa.array([5, 4, 3, 2, 1, 0], pa.int32()),
        pa.array([1] * 6, pa.int32()),
        pa.array(TEXTS[::-1]),
    ),
    "fixed list": pa.FixedSizeListArray.from_arrays(pa.array(TEXTS), 1),
    "fixed list of dictionaries": pa.FixedSizeListArray.from_arrays(dictionary(), 1),
    "list of dictionaries": list_of(dictionary()),
    "list of lists of dictionaries": list_of(list_of(dictionary())),
    "map": pa.array([[(t, n)] for t, n in zip(TEXTS, NUMBERS, strict=True)],
                    pa.map_(pa.string(), pa.int64())),
    "map of dictionaries": pa.MapArray.from_arrays(
        pa.array(range(7), pa.int32()), pa.array(SHORTS[:2] * 3), dictionary()
    ),
    "struct": pa.StructArray.from_arrays([pa.array(TEXTS), pa.array(NUMBERS)], ["f", "g"]),
    "struct of dictionaries": pa.StructArray.from_arrays([dictionary()], ["f"]),
    "struct with notes": pa.StructArray.from_arrays(
        [pa.array(SHORTS)], fields=[pa.field("f", pa.string(), metadata={"who": LONG})]
    ),
    "no field": pa.array([{}] * 6, pa.struct([])),
    "extension": pa.ExtensionArray.from_storage(Marked(), pa.array(TEXTS)),
    **uuids(),
    **unions(),
}  # fmt: skip


@pytest.mark.parametrize("name", PYARROW)
def test_pyarrow_tables_are_clean_and_keep_their_types(name):
    table = with_others(PYARROW[name], pa.table)

    released = release_of(table).frame

    released.validate(full=True)
    assert_clean(released)
    assert released.schema.field("kept").type == PYARROW[name].type
    assert sorted(map(str, released["kept"].to_pylist())) == sorted(
        str(value) for i, value in enumerate(PYARROW[name].to_pylist()) if i != GONE
    )


@pytest.mark.parametrize("name", HIDDEN)
def test_pyarrow_tables_have_nothing_behind_missing_values(name):
    released = release_of(with_others(HIDDEN[name](), pa.table)).frame

    assert_clean(released)
    assert released["kept"].null_count == 1


@pytest.mark.parametrize("name", PYARROW)
def test_pyarrow_slices_and_chunks_lead_to_nothing_around_them(name):
    whole = with_others(PYARROW[name], pa.table)
    parts = pa.concat_tables([whole.slice(0, GONE), whole.slice(GONE + 1)])

    released = release_of(parts).frame

    assert_clean(released)
    assert released["kept"].num_chunks == 1


def test_notes_on_pyarrow_schemas_and_fields_are_gone():
    table = with_others(pa.array(TEXTS), pa.table)
    fields = [field.with_metadata({"who": LONG}) for field in table.schema]
    table = table.cast(pa.schema(fields, metadata={"pandas": LONG}))

    assert_clean(release_of(table).frame)


def test_an_ordered_pyarrow_dictionary_keeps_its_order():
    released = release_of(with_others(ordered_dictionary(), pa.table)).frame["kept"]

    assert released.type.ordered
    assert released.chunk(0).dictionary.to_pylist() == ["low", "middle", "high"]


def test_a_pyarrow_column_that_may_not_be_missing_stays_so():
    table = with_others(pa.array(TEXTS), pa.table)
    fields = [field.with_nullable(field.name != "kept") for field in table.schema]

    released = release_of(table.cast(pa.schema(fields))).frame

    assert [field.nullable for field in released.schema] == [True, False, True]


# pandas

INTERVALS = pd.arrays.IntervalArray.from_arrays(NUMBERS, [n + 1 for n in NUMBERS])
MISSES = np.array([i == MISSING for i in range(6)])
PANDAS = {
    "text": pd.Series(TEXTS),
    "object": pd.Series(TEXTS, dtype=object),
    "text of python": pd.Series(TEXTS, dtype="string[python]"),
    "text of arrow": pd.Series(TEXTS, dtype="string[pyarrow]"),
    "number": pd.Series(NUMBERS),
    "float": pd.Series(np.array(NUMBERS).view(np.float64)),
    "nullable": pd.Series(pd.arrays.IntegerArray(np.array(NUMBERS), np.zeros(6, bool))),
    "missing": pd.Series(pd.arrays.IntegerArray(np.where(MISSES, NUMBER, NUMBERS), MISSES.copy())),
    "missing float": pd.Series(
        pd.arrays.FloatingArray(np.where(MISSES, NUMBER, NUMBERS).view(np.float64), MISSES.copy())
    ),
    "boolean": pd.Series([True, None, False, True, None, True], dtype="boolean"),
    "arrow": pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.large_string())),
    "arrow number": pd.Series(NUMBERS, dtype="int64[pyarrow]"),
    "arrow dictionary": pd.Series(dictionary().to_pandas(types_mapper=None)).astype(
        pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    ),
    "arrow list of dictionaries": pd.Series(pd.arrays.ArrowExtensionArray(list_of(dictionary()))),
    "arrow struct of dictionaries": pd.Series(
        pd.arrays.ArrowExtensionArray(PYARROW["struct of dictionaries"])
    ),
    "category": pd.Series(TEXTS, dtype="category"),
    "ordered": pd.Series(
        pd.Categorical(SHORTS, categories=["y", SHORT, "x", "none has it"], ordered=True)
    ),
    "category of arrow": pd.Series(
        pd.Categorical(TEXTS, categories=pd.Index(sorted(set(TEXTS)), dtype="string[pyarrow]"))
    ),
    "named categories": pd.Series(
        pd.Categorical(TEXTS, categories=pd.Index(sorted(set(TEXTS)), name=LONG))
    ),
    "category of numbers": pd.Series(NUMBERS, dtype="category"),
    "category of intervals": pd.Series(pd.Categorical(INTERVALS)),
    "moment": pd.Series(pd.to_datetime(NUMBERS, unit="ns", utc=True)).dt.tz_convert(
        "Europe/Berlin"
    ),
    "timedelta": pd.Series(pd.to_timedelta(NUMBERS, unit="ns")),
    "period": pd.Series(pd.period_range("2020", periods=6, freq="M")),
    "interval": pd.Series(INTERVALS),
    "sparse": pd.Series(pd.arrays.SparseArray(NUMBERS, fill_value=4)),
    "mixed": pd.Series([1, "b", None, LONG, Decimal(3), datetime.date(2020, 1, 1)], dtype=object),
    "lists": pd.Series([[text] for text in TEXTS], dtype=object),
}


@pytest.mark.parametrize("name", PANDAS)
def test_pandas_frames_are_clean_and_keep_their_types(name):
    frame = with_others(PANDAS[name], pd.DataFrame)

    released = release_of(frame).frame

    assert_clean(released)
    if not isinstance(PANDAS[name].dtype, pd.CategoricalDtype):
        assert released["kept"].dtype == PANDAS[name].dtype
    assert sorted(map(str, released["kept"])) == sorted(map(str, PANDAS[name].drop(index=GONE)))


@pytest.mark.parametrize("name", PANDAS)
def test_pandas_names_notes_and_indexes_are_gone(name):
    frame = with_others(PANDAS[name], pd.DataFrame)
    frame.attrs["who"] = {"is": LONG}
    frame.index = pd.MultiIndex.from_product([[LONG], range(6)], names=[SHORT, LONG])
    frame.columns = pd.CategoricalIndex(frame.columns, categories=[*frame.columns, LONG], name=LONG)
    for column in frame:
        frame[column].attrs["who"] = LONG

    released = release_of(frame).frame

    assert_clean(released)
    assert type(released) is pd.DataFrame
    assert list(released.columns) == ["age", "kept", "note"]


def test_nothing_of_a_pandas_frame_shares_memory_with_the_input():
    frame = with_others(pd.Series(NUMBERS), pd.DataFrame)

    released = release_of(frame).frame

    assert not np.shares_memory(released["kept"].to_numpy(), frame["kept"].to_numpy())


def test_arrays_in_pandas_cells_lead_to_nothing_around_them():
    whole = np.array(TEXTS)
    cells = pd.Series([whole[i : i + 1] for i in range(6)], dtype=object)

    released = release_of(with_others(cells, pd.DataFrame)).frame["kept"]

    assert not any(np.shares_memory(value, whole) for value in released)


def test_objects_that_cannot_be_copied_are_refused_by_their_column():
    views = pd.Series([memoryview(text.encode()) for text in TEXTS], dtype=object)

    with pytest.raises(InputError, match="'kept' has") as refused:
        release_of(with_others(views, pd.DataFrame))

    assert LONG not in str(refused.value)


def test_categories_keep_their_order_if_it_means_something():
    released = release_of(with_others(PANDAS["ordered"], pd.DataFrame)).frame["kept"]

    assert released.cat.ordered
    assert released.cat.categories.tolist() == ["y", "x", "none has it"]


# the order of the input

SHUFFLES = [[5, 4, 3, 2, 1, 0], [2, 5, 3, 0, 4, 1]]
TWICE = ["a rather long text that is here twice"] * 2


def rows_in(order, make, kind):
    texts = [TWICE[0], "b", TWICE[1], LONG, "c", "another text that is long"]
    columns = {
        "name": [f"person {i}" for i in range(6)],
        "age": AGES,
        "kept": texts,
        "note": ["s", None, "t", SHORT, "s", "t"],
    }
    return make({name: [values[i] for i in order] for name, values in columns.items()}, kind)


def in_polars(columns, kind):
    return pl.DataFrame(columns).with_columns(pl.col("kept").cast(kind))


def in_pyarrow(columns, kind):
    table = pa.table(columns)
    kept = pa.chunked_array([pa.array(columns["kept"][:2]), pa.array(columns["kept"][2:])])
    kept = kept.dictionary_encode() if pa.types.is_dictionary(kind) else kept.cast(kind)
    return table.set_column(2, "kept", kept)


def in_pandas(columns, kind):
    frame = pd.DataFrame(columns)
    texts = columns["kept"]
    if kind == "category":
        return frame.assign(kept=pd.Categorical(texts, categories=list(dict.fromkeys(texts))))
    fresh = ["".join(list(text)) for text in texts]  # equal texts, yet different objects
    shared = texts if texts[0] < texts[-1] else fresh
    return frame.assign(kept=pd.Series(shared, dtype=kind))


@pytest.mark.parametrize("order", SHUFFLES, ids=["reversed", "shuffled"])
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (in_polars, pl.String),
        (in_polars, pl.Categorical),
        (in_pyarrow, pa.string()),
        (in_pyarrow, pa.large_string()),
        (in_pyarrow, pa.string_view()),
        (in_pyarrow, pa.dictionary(pa.int32(), pa.string())),
        (in_pandas, "str"),
        (in_pandas, "object"),
        (in_pandas, "category"),
        (in_pandas, "string[python]"),
        (in_pandas, "string[pyarrow]"),
    ],
    ids=lambda given: str(given) if not callable(given) else given.__name__,
)
def test_equal_releases_of_shuffled_tables_have_equal_bytes(make, kind, order):
    one = release_of(rows_in(range(6), make, kind)).frame
    other = release_of(rows_in(order, make, kind)).frame

    assert forms_of(one) == forms_of(other)
