"""Every deviation from plain pygls, and nothing else.

pygls serves: `RubricServer` is its `LanguageServer`, lsprotocol has the types of all messages. What stands here does what
pygls 2.1 leaves open. Each line names what demands it, and what upstream would have to change to make it needless.
`tests/server/test_pygls.py` holds that the names of pygls that are overridden or used exist.

| deviation | what demands it | needless when pygls |
|---|---|---|
| `language_server.receive` in place of `structure_message` | a client waits for ever for an answer to malformed JSON or wrong parameters; a nested object with a key `jsonrpc` is taken for a message: tests/server/test_hostile_messages.py, test_hostile_parameters.py | answers -32700 and -32602 |
| it admits by state | requests before `initialize` and after `shutdown` are executed or ignored: tests/server/test_lifecycle.py | knows both states |
| no built-in handlers | their texts are a second copy of each document: 347 ms for an edit of 10.6 MB; their capabilities take 22 ms to build; a cancelled command runs on | lets a server bring its own documents |
| `_execute_handler` forgets its future | 1.8 KB leak with each notification that has a coroutine: tests/server/test_memory.py | removes it itself |
| `_send_handler_result`, `_check_handler_result` | a traceback goes to the client: tests/server/test_hostile_parameters.py | keeps it in the log |
| `_send_data` sends `JsonText` as it is | 500 diagnostics through cattrs take 4.3 ms at each keystroke, as text 8 us: benchmarks/lsp.py | has a type for encoded results |
| `ask`, `request_without_answer` | requests of ours that nobody answers stay for ever; one cannot be cancelled | does both (its issue 608) |
| `converter`: strict and tolerant hooks | `"line": "3"` and `0.7` are coerced; a version or a line out of range loses the edit: tests/server/test_hostile_client.py | has strict types |
| `converter`: capabilities stay JSON | building them takes 41 ms of the start with those of VS Code: benchmarks/lsp.py | builds them on demand |
| `transports.read_messages` | `content-length` in lower case ends the connection; one read takes three rounds of the loop, a hover while a file is read 25 ms in place of 2: tests/server/test_transports.py | reads whole messages in a thread |
| `transports`: one client | a second TCP client takes over, a message over 1 MiB ends a web socket, any web page may connect: tests/server/test_transports.py | has options for these |
| `message_loop`: one message a round | an edit overtakes a request before it: tests/server/test_long_session.py | starts coroutines at once |
"""
