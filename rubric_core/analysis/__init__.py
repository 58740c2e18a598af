"""Running the rules over a document: facts of the file, findings by chunk, suppressions, verified fixes."""
