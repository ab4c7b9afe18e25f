"""Imports every module of the generated client. The argument is the folder it is in."""

import importlib
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
modules = sorted(folder.glob("gilmok_client/**/*.py"))
assert len(modules) > 150, modules
for module in modules:
    importlib.import_module(".".join(module.relative_to(folder).with_suffix("").parts))
