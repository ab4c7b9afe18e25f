"""What schemathesis does not know of itself: how NDJSON is written, that a body can be packed, which times there are."""

import datetime
import json
import urllib.parse

import schemathesis
from hypothesis import strategies

# What is before 2101 is taken; a schema has no bounds for texts.
_TIMES = strategies.datetimes(datetime.datetime(2000, 1, 1), datetime.datetime(2100, 1, 1))
schemathesis.openapi.format("date-time", _TIMES.map(lambda at: at.isoformat(timespec="milliseconds") + "Z"))


@schemathesis.serializer("application/x-ndjson")
def ndjson(_context, value):
    """A text as it is, a list as one document a line, anything else as one line."""
    if isinstance(value, str):
        return value.encode(errors="surrogatepass")
    documents = value if isinstance(value, list) else [value]
    return "".join(json.dumps(one) + "\n" for one in documents).encode()


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """It sends no packed bodies, so none must say that it is. A coding that is none stays, to be refused."""
    if case.headers and case.headers.get("Content-Encoding") in ("gzip", "zstd"):
        del case.headers["Content-Encoding"]


def _has_null(value):
    if isinstance(value, dict):
        return any(one is None or _has_null(one) for one in value.values())
    return isinstance(value, list) and any(_has_null(one) for one in value)


def _has_blank(value):
    """Whether a text, at any depth, is all white space."""
    if isinstance(value, str):
        return value.isspace()
    if isinstance(value, dict):
        return any(_has_blank(one) for one in value.values())
    return isinstance(value, list) and any(_has_blank(one) for one in value)


def _named_twice(record):
    """Whether a member stands inside a record's attributes and beside them: both become attributes."""
    inside = record.get("attributes") if isinstance(record, dict) else None
    return isinstance(inside, dict) and any(name in record for name in inside)


def _is_too_long(case):
    """Whether the request line is near its bound of 8 KiB: beyond it, every route answers 414."""
    parts = [*(case.path_parameters or {}).values(), *(case.query or {}).values()]
    return sum(len(urllib.parse.quote(str(one), errors="surrogatepass")) for one in parts) > 6000


@schemathesis.hook
def filter_case(_context, case):
    """Leaves out what no schema can forbid.

    A member that is null counts as absent, as generated clients send it: nothing to be refused. A name is
    refused that a record has twice, inside its attributes and beside them. White space alone counts as empty.
    """
    if _has_blank(case.body) or _has_blank(case.path_parameters) or _is_too_long(case):
        return False
    records = case.body if isinstance(case.body, list) else [case.body]
    return not _has_null(case.body) and not any(_named_twice(record) for record in records)
