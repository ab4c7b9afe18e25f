"""Translates the query in a file from Spark's SQL into DuckDB's; fails where Spark would not parse it."""
import pathlib
import sys

import sqlglot
from sqlglot.errors import ErrorLevel

query = pathlib.Path(sys.argv[1]).read_text()
print(sqlglot.transpile(query, read="spark", write="duckdb", error_level=ErrorLevel.RAISE, unsupported_level=ErrorLevel.RAISE)[0])
