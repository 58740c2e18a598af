"""Editor features besides problems: plain data in, plain data out."""
