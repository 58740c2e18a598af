"""Tests in Visual Studio Code, whose fixtures of the scope `package` end with the last of them."""
