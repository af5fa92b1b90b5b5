"""Run by the environment of the peers: tables as JSON come in, what pycanon says of them goes out.

A table is {"columns": {name: values}, "quasi": [names], "sensitive": name}. What pycanon cannot
measure is the name of the exception.
"""

import json
import sys
import warnings

MODELS = {
    "alpha-k": "alpha_k_anonymity",
    "distinct-l-diversity": "l_diversity",
    "entropy-l-diversity": "entropy_l_diversity",
    "recursive-cl-diversity": "recursive_c_l_diversity",
    "t-closeness": "t_closeness",
    "beta-likeness": "basic_beta_likeness",
    "enhanced-beta-likeness": "enhanced_beta_likeness",
    "delta-disclosure": "delta_disclosure",
}


def measure(table):
    import pandas as pd  # tests that look for examples import this file without them
    from pycanon import anonymity

    frame = pd.DataFrame(table["columns"])
    said = {"k-anonymity": plain(anonymity.k_anonymity(frame, table["quasi"]))}
    for model, function in MODELS.items():
        try:
            found = getattr(anonymity, function)(frame, table["quasi"], [table["sensitive"]])
            said[model] = plain(found)
        except Exception as error:
            said[model] = type(error).__name__
    return said


def plain(found):
    return [float(part) for part in found] if isinstance(found, tuple) else float(found)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # it takes logarithms of 0 where values are missing
    json.dump([measure(table) for table in json.load(sys.stdin)], sys.stdout)
