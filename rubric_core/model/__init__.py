"""Models of eval files for Python users and for grading: plain, frozen values with every alias resolved.

`load(path)` is the way in. Nothing that runs on a keystroke imports this package, because pydantic takes its time.
"""
