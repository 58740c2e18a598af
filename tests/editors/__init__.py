"""Makes packages of the folders with editors, so that a fixture can last as long as the tests of one."""
