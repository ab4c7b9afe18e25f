"""Reads dashboards by Grafana's own types, writes them again, and names what did not survive.

What Grafana does not know is dropped by its types, as a panel drops it. Names of files are the
arguments; it fails if there is anything to say.
"""

import json
import sys

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

# Members of an annotation's query, which belong to its data source and are in none of the types.
OF_PROMETHEUS = {"useValueForTime", "titleFormat", "textFormat"}


def lost(ours, theirs, place):
    """Yields each place that is not in both alike."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name, value in ours.items():
            if name in theirs:
                yield from lost(value, theirs[name], f"{place}/{name}")
            elif not (place.startswith("/annotations/") and name in OF_PROMETHEUS):
                yield f"{place}/{name} is unknown to Grafana"
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (one, other) in enumerate(zip(ours, theirs)):
            yield from lost(one, other, f"{place}/{index}")
    elif ours != theirs:
        yield f"{place} is {theirs!r} to Grafana, not {ours!r}"


register_default_plugins()  # else queries and panels are passed through as they are
faults = []
for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as text:
        ours = json.load(text)
    theirs = json.loads(JSONEncoder(sort_keys=True).encode(Dashboard.from_json(ours)))
    faults += [f"{file}: {fault}" for fault in lost(ours, theirs, "")]
print("\n".join(faults) or f"{len(sys.argv) - 1} dashboards are as Grafana reads them")
sys.exit(1 if faults else 0)
