"""Every deviation from plain pygls, and nothing else.

pygls serves: `RubricServer` is its `LanguageServer`, and lsprotocol has the types of all messages. The modules here do
what pygls 2.1 leaves open. For each deviation: what demands it, and what pygls would have to do to make it needless.
`tests/server/test_pygls.py` holds that the names of pygls that are used here exist.

`language_server.py`
    `receive`, in place of `structure_message`: a client would wait for ever for an answer to malformed JSON, to wrong
    parameters, before `initialize` and after `shutdown`, and an object with a key `jsonrpc` inside of the parameters
    would be taken for a message (test_hostile_messages.py, test_hostile_parameters.py, test_lifecycle.py). Needless
    when pygls answers all of these.
    `_register_builtin_features` registers none: those of pygls keep a second copy of each text, which takes 347 ms for
    an edit of 10.6 MB, take 22 ms for the capabilities, and let a cancelled command run on. Needless when a server
    can bring its own documents.
    `_execute_handler` forgets its future, which is 1.8 KB a notification (test_pygls.py). Needless when pygls does.
    `_send_handler_result` and `_check_handler_result` keep tracebacks in the log. Needless when pygls does.
    `_send_data` sends a `JsonText` as it is: 500 diagnostics as objects take 4.3 ms at each keystroke, as text 8 us
    (benchmarks/lsp.py). Needless when pygls takes encoded results.
    `ask` can be cancelled, `request_without_answer` leaves nothing behind (test_pygls.py). Needless when pygls can do
    both; its issue 608 is about the second.
`converter.py`
    Strict hooks: `"line": "3"` and `0.7` would be coerced (test_hostile_parameters.py). Tolerant ones: a version out of
    range, or none, would lose an edit (test_hostile_client.py). Needless when lsprotocol is as strict and as tolerant.
    The capabilities of the client stay JSON: building them takes 41 ms with those of VS Code (benchmarks/lsp.py).
`lazy_types.py`
    Builds classes at their first use, which takes 200 ms off the start (benchmarks/lsp.py, test_lazy_types.py).
    Needless when lsprotocol is quick to import; its issue 441 is about that.
`message_loop.py`
    One message a round, and long work while none waits: else an edit overtakes the request before it
    (test_long_session.py). Needless when pygls begins coroutines at once.
`transports.py`
    Messages are read by a thread: pygls takes three rounds of the loop for each, so that a hover while a large file is
    read takes 25 ms in place of 2, and `content-length` in lower case ends the connection (test_hostile_messages.py).
    One client: over TCP a second one would take over; over a web socket 1 MiB would be the limit of a message, and any
    web page could connect (test_transports.py). Needless when pygls has options for these.
"""
