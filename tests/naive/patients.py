"""Which values the published cells of `conformance.tables.patients` cover."""


def is_covered(name, cell, value):
    """Whether a cell covers a value, by the rule of its column and nothing else."""
    if cell == "*":
        return True
    if value is None or cell is None:
        return value is cell
    value = str(value)
    if name in ("age", "pay"):
        low, high = cell[1:-1].split(", ") if cell[0] == "[" else (cell, cell)
        return float(low) <= float(value) <= float(high)
    if name == "zip":
        return len(cell) == 5 and value.startswith(cell.rstrip("*"))
    if name == "born":
        return value.startswith(cell.removesuffix("0s") if cell.endswith("0s") else cell)
    if name == "job":
        of = {"nurse": "Care", "doctor": "Care", "cook": "Kitchen", "fisher": "Sea"}
        return cell in (value, of[value])
    return value in (cell[1:-1].split(", ") if cell[0] == "{" else [cell])
