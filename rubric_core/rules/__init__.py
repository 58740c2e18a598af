"""The rules: one file each, with page, check and fixes. `registry.py` is the ordered table of them."""
