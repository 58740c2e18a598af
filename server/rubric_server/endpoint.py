"""Our end of a connection: messages in and out, as JSON-RPC has them.

A thread of its own reads, so that a cancellation is noticed while something else is being worked on. Everything else
happens on the thread that calls `take`; whoever works on another thread hands over what is to happen there (`post`).
"""

from __future__ import annotations

import json
import logging
import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_server.streams import Stream

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803
CANCELLED = -32800

CANCEL = "$/cancelRequest"
MessageId = int | str | None
_log = logging.getLogger("rubric")


class Refused(Exception):  # noqa: N818 - the feature refuses; nothing went wrong.
    """A request that cannot be answered, with the sentence that the user is to read, and data for the client."""

    def __init__(self, message: str, code: int = REQUEST_FAILED, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.data = data


class JsonText(str):
    """An answer that is JSON text already, all of it ASCII."""

    __slots__ = ()


class Message(NamedTuple):
    """A request, a notification, or an answer to a request of ours, which is its own parameters."""

    method: str
    params: Any
    id: MessageId = None
    is_request: bool = False
    is_answer: bool = False
    # What another thread of ours wants to have done here; no client can send it.
    call: Callable[[], None] | None = None


# The end of the connection is as good as the client's wish.
END = Message("exit", None)


class Endpoint:
    """One connection to a client."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        # What the client has called off; the reader adds, the other thread takes away.
        self.cancelled: set[MessageId] = set()
        self._waiting: dict[str, tuple[Callable[[Any], None] | None, Callable[[str], None] | None]] = {}
        self._asked = 0
        # The reader answers what it cannot read at all.
        self._writing = threading.Lock()

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read_all, name="reader", daemon=True).start()

    def take(self, *, wait: bool) -> Message | None:
        """Return the next message; None where there is none and nobody wants to wait for it."""
        try:
            return self._inbox.get(block=wait)
        except Empty:
            return None

    def post(self, call: Callable[[], None]) -> None:
        """Have something done between two messages; any thread may ask for it."""
        self._inbox.put(Message("", None, call=call))

    def _read_all(self) -> None:
        try:
            while (body := self._stream.read()) is not None:
                self._read(body)
        except Exception:  # noqa: BLE001 - whatever breaks a connection, it is over.
            _log.exception("The connection broke.")
        self._inbox.put(END)

    def _read(self, body: bytes) -> None:
        try:
            content = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(_legible(body), f"The message is not JSON: {error}.")
            return
        if not isinstance(content, dict):
            self.fail(None, INVALID_REQUEST, "A message must be an object; batches are not part of the protocol.")
            return
        method, number = content.get("method"), content.get("id")
        if not _is_id(number):
            self.fail(None, INVALID_REQUEST, "The `id` of a message must be an integer or a string.")
        elif isinstance(method, str):
            self._receive(method, content.get("params"), number, is_request="id" in content)
        elif "result" in content or "error" in content:
            self._inbox.put(Message("", content, number, is_answer=True))
        else:
            self.fail(number, INVALID_REQUEST, "A message needs a `method`, a `result` or an `error`.")

    def _refuse(self, content: dict[str, Any], reason: str) -> None:
        """Refuse a message that cannot be read, so that nobody waits for ever: neither who asked nor who was asked."""
        number = content.get("id")
        if number is None or "method" in content:
            self.fail(number, PARSE_ERROR, reason)
            return
        refusal = {"id": number, "error": {"code": PARSE_ERROR, "message": reason}}
        self._inbox.put(Message("", refusal, number, is_answer=True))

    def _receive(self, method: str, params: Any, number: MessageId, *, is_request: bool) -> None:
        if method == CANCEL and isinstance(params, dict) and _is_id(params.get("id")):
            self.cancelled.add(params.get("id"))
        self._inbox.put(Message(method, params, number, is_request))

    def settle(self, content: dict[str, Any]) -> None:
        """Hand the client's answer to whoever asked."""
        then, refused = self._waiting.pop(str(content.get("id")), (None, None))
        if "error" in content:
            _log.warning("The client refused a request: %s", content["error"])
            if refused is not None:
                error = content["error"]
                refused(str(error.get("message", "")) if isinstance(error, dict) else "")
        elif then is not None:
            then(content.get("result"))

    def request(
        self,
        method: str,
        params: Any,
        then: Callable[[Any], None] | None = None,
        refused: Callable[[str], None] | None = None,
    ) -> str:
        """Ask the client for something and return the number of the request.

        `then` gets what the client answers, `refused` the sentence with which it refuses.
        """
        self._asked += 1
        number = f"rubric-{self._asked}"
        if then is not None or refused is not None:
            self._waiting[number] = then, refused
        self.send({"id": number, "method": method} | ({} if params is None else {"params": params}))
        return number

    def call_off(self, number: str) -> None:
        """Tell the client that a request of ours needs no answer any more."""
        if self._waiting.pop(number, None) is not None:
            self.notify(CANCEL, {"id": number})

    def notify(self, method: str, params: Any) -> None:
        """Tell the client something."""
        self.send({"method": method, "params": params})

    def answer(self, number: MessageId, result: Any) -> None:
        """Answer a request."""
        if isinstance(result, JsonText):
            self.send_text(f'{{"jsonrpc": "2.0", "id": {json.dumps(number)}, "result": {result}}}')
        else:
            self.send({"id": number, "result": result})

    def fail(self, number: MessageId, code: int, message: str, data: Any = None) -> None:
        """Answer a request with an error."""
        error = {"code": code, "message": message} | ({} if data is None else {"data": data})
        self.send({"id": number, "error": error})

    def send(self, members: dict[str, Any]) -> None:
        """Send a message."""
        self.send_text(json.dumps({"jsonrpc": "2.0", **members}))

    def send_text(self, message: str) -> None:
        """Send a message that is JSON text already, all of it ASCII. A client that has gone gets nothing."""
        try:
            with self._writing:
                self._stream.write(message.encode("ascii"))
        except (OSError, ValueError) as error:
            _log.warning("The client is gone: %s", error)
            self._inbox.put(END)


def _legible(body: bytes) -> dict[str, Any]:
    """Return what can be read of a message whose text is not UTF-8; nothing where it is no message anyway."""
    try:
        content = json.loads(body.decode(errors="replace"))
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and _is_id(content.get("id")) else {}


def _is_id(number: Any) -> bool:
    return number is None or (isinstance(number, (int, str)) and not isinstance(number, bool))
