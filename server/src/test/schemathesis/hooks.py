"""What schemathesis does not know of itself: how NDJSON is written."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(_context, value):
    """A text as it is, a list as one document a line, anything else as one line."""
    if isinstance(value, str):
        return value.encode(errors="surrogatepass")
    documents = value if isinstance(value, list) else [value]
    return "".join(json.dumps(one) + "\n" for one in documents).encode()
