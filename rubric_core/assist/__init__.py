"""What an editor asks for besides problems: plain data in, plain data out."""
