"""Arrow columns in new memory, with nothing but their values.

A column that was cut out of another, or whose rows were chosen, may still hold the rest: in its
dictionaries, in the buffers of its views, between the items of its lists and behind missing values.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from shoal.types.arrays import BoolArray, Int64Array


def rows_of_column(column: Any, rows: Int64Array) -> Any:
    """Some rows of a chunked array: in one chunk, for chunks tell how the input was cut."""
    import pyarrow as pa

    return pa.chunked_array([rows_of(_whole(column), rows)])


def rows_of(array: Any, rows: Int64Array) -> Any:
    """Some rows of an array, missing where -1 is given; the type stays, but notes inside it go."""
    import pyarrow as pa

    of, kind = pa.types, array.type
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, rows_of(array.storage, rows))
    if of.is_dictionary(kind):
        return _dictionary(array, rows)
    if of.is_struct(kind):
        return _struct(array, rows)
    if of.is_fixed_size_list(kind):
        return _lists_of_one_size(array, rows)
    if of.is_union(kind):
        return _union(array, rows)
    if of.is_nested(kind):
        return _lists(array, rows)
    if of.is_string_view(kind) or of.is_binary_view(kind):  # which cannot be taken from
        large = pa.large_string() if of.is_string_view(kind) else pa.large_binary()
        return rows_of(array.cast(large), rows).cast(kind)
    return array.take(_as_places(rows))  # copied one by one, with zeros behind missing values


def _whole(column: Any) -> Any:
    """The chunks of a column as one array; those of views cannot be joined before they are text."""
    import pyarrow as pa

    of = pa.types
    if of.is_string_view(column.type) or of.is_binary_view(column.type):
        large = pa.large_string() if of.is_string_view(column.type) else pa.large_binary()
        return column.cast(large).combine_chunks().cast(column.type)
    return column.combine_chunks()


def _dictionary(array: Any, rows: Int64Array) -> Any:
    """With a dictionary of the values that occur, in their own order, or else that of the rows."""
    import pyarrow as pa

    values = array.dictionary
    codes = np.append(_codes(array), -1)[rows]
    with contextlib.suppress(pa.ArrowNotImplementedError):  # for lists and the like
        same = values.dictionary_encode()  # a value may stand there twice
        codes, values = np.append(_codes(same), -1)[codes], same.dictionary
    is_valid = np.append(_is_valid(values), False)[codes]
    present, first = np.unique(codes[is_valid], return_index=True)
    if not array.type.ordered:
        present = present[np.argsort(first)]
    place = np.zeros(len(values) + 1, dtype=np.int64)
    place[present] = np.arange(len(present))
    return pa.DictionaryArray.from_arrays(
        pa.array(place[codes], mask=~is_valid).cast(array.type.index_type),
        rows_of(values, present),
        ordered=array.type.ordered,
    )


def _struct(array: Any, rows: Int64Array) -> Any:
    import pyarrow as pa

    is_valid = np.append(_is_valid(array), False)[rows]
    if not array.type.num_fields:  # made of missing and present alone
        return pa.array([{} if valid else None for valid in is_valid], array.type)
    rows = np.where(is_valid, rows, -1)
    parts = [rows_of(array.field(i), rows) for i in range(array.type.num_fields)]
    fields = [_field(field, part) for field, part in zip(array.type, parts, strict=True)]
    return pa.StructArray.from_arrays(parts, fields=fields, mask=_mask(is_valid))


def _lists_of_one_size(array: Any, rows: Int64Array) -> Any:
    """Items of missing lists are missing: the lists have room for them nevertheless."""
    import pyarrow as pa

    size, is_valid = array.type.list_size, np.append(_is_valid(array), False)[rows]
    places = (array.offset + rows)[:, None] * size + np.arange(size)
    items = rows_of(array.values, np.where(is_valid[:, None], places, -1).ravel())
    kind = pa.list_(_field(array.type.value_field, items), size)
    return pa.FixedSizeListArray.from_arrays(items, type=kind, mask=_mask(is_valid))


def _lists(array: Any, rows: Int64Array) -> Any:
    """Lists, maps and views of lists: the items of the chosen ones stand next to each other."""
    import pyarrow as pa

    is_valid = np.append(_is_valid(array), False)[rows]
    of, kind, offsets = pa.types, array.type, array.offsets.to_numpy()
    is_view = of.is_list_view(kind) or of.is_large_list_view(kind)
    starts = np.append(offsets if is_view else offsets[:-1], 0)[rows]
    lengths = np.append(array.sizes.to_numpy() if is_view else np.diff(offsets), 0)[rows]
    lengths = np.where(is_valid, lengths, 0)
    ends = np.append(0, np.cumsum(lengths, dtype=np.int64))
    places = np.repeat(starts - ends[:-1], lengths) + np.arange(ends[-1])
    mask, ends = _mask(is_valid), pa.array(ends.astype(offsets.dtype))
    if of.is_map(kind):
        keys, items = rows_of(array.keys, places), rows_of(array.items, places)
        fields = _field(kind.key_field, keys), _field(kind.item_field, items)
        new = pa.map_(*fields, keys_sorted=kind.keys_sorted)
        return pa.MapArray.from_arrays(ends, keys, items, type=new, mask=mask)
    items = rows_of(array.values, places)
    is_large = of.is_large_list(kind) or of.is_large_list_view(kind)
    makers = {
        (False, False): pa.list_,
        (False, True): pa.large_list,
        (True, False): pa.list_view,
        (True, True): pa.large_list_view,
    }
    new = makers[is_view, is_large](_field(kind.value_field, items))
    if is_view:
        sizes = pa.array(lengths.astype(offsets.dtype))
        return type(array).from_arrays(ends[:-1], sizes, items, type=new, mask=mask)
    return type(array).from_arrays(ends, items, type=new, mask=mask)


def _union(array: Any, rows: Int64Array) -> Any:
    """Of each child only the values that the union takes from it."""
    import pyarrow as pa

    kind, codes = array.type, array.type_codes.to_numpy()[rows]
    is_dense = kind.mode == "dense"
    offsets, children = np.zeros(len(rows), dtype=np.int32), []
    for i, code in enumerate(kind.type_codes):
        is_mine = codes == code
        offsets[is_mine] = np.arange(is_mine.sum())
        chosen = (
            array.offsets.to_numpy()[rows[is_mine]] if is_dense else np.where(is_mine, rows, -1)
        )
        children.append(rows_of(array.field(i), chosen))
    names, types = [field.name for field in kind], pa.array(codes)
    if is_dense:
        return pa.UnionArray.from_dense(
            types, pa.array(offsets), children, names, list(kind.type_codes)
        )
    return pa.UnionArray.from_sparse(types, children, names, list(kind.type_codes))


def _codes(dictionary: Any) -> Int64Array:
    """The codes of a dictionary array, -1 where a value is missing."""
    import pyarrow as pa

    codes: Int64Array = dictionary.indices.cast(pa.int64()).fill_null(-1).to_numpy()
    return codes


def _as_places(rows: Int64Array) -> Any:
    import pyarrow as pa

    return pa.array(rows, mask=rows < 0)


def _field(field: Any, values: Any) -> Any:
    """A field of the same name, without its notes."""
    import pyarrow as pa

    return pa.field(field.name, values.type, nullable=field.nullable)


def _is_valid(array: Any) -> BoolArray:
    valid: BoolArray = array.is_valid().to_numpy(zero_copy_only=False)
    return valid


def _mask(is_valid: BoolArray) -> Any:
    """Which values are missing, for the makers of arrays; None if none is."""
    import pyarrow as pa

    return None if is_valid.all() else pa.array(~is_valid)
