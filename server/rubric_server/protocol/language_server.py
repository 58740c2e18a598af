"""The protocol: handling incoming messages and sending outgoing ones."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import attrs
from lsprotocol import types
from pygls import exceptions
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, LanguageServerProtocol

from rubric_server.protocol.converter import JsonText, RequestError, structure, structured_or_none, to_json_text

if TYPE_CHECKING:
    from concurrent.futures import Future

    from rubric_server.app import RubricServer

MessageId = int | str | None
_log = logging.getLogger("rubric")


class RubricProtocol(LanguageServerProtocol):
    """pygls's protocol with strict validation. The package's docstring has the reason for each override."""

    _server: RubricServer

    def _register_builtin_features(self) -> None:
        """Register nothing: the table in `app.py` has all features."""

    @property
    def is_answering(self) -> bool:
        """Return whether a request is still unanswered."""
        return bool(self._request_futures)

    # Messages that come in

    def receive(self, body: bytes) -> None:
        """Handle a message. Any error is reported to the client, and the server goes on."""
        try:
            self._receive(body)
        except Exception:  # noqa: BLE001 - whatever goes wrong, the server goes on.
            _log.exception("A message could not be handled.")

    def _receive(self, body: bytes) -> None:
        try:
            content = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse_unreadable(_legible(body), f"The message is not JSON: {error}.")
            return
        if not isinstance(content, dict):
            self.fail(
                None,
                exceptions.JsonRpcInvalidRequest("A message must be an object; batches are not part of the protocol."),
            )
            return
        method, number, params = content.get("method"), content.get("id"), content.get("params")
        if not _is_id(number):
            self.fail(None, exceptions.JsonRpcInvalidRequest("The `id` of a message must be an integer or a string."))
        elif isinstance(method, str) and "id" in content:
            self._receive_request(number, method, params)
        elif isinstance(method, str):
            self._receive_notification(method, params)
        elif "result" in content or "error" in content:
            self._receive_response(number, content)
        else:
            self.fail(number, exceptions.JsonRpcInvalidRequest("A message needs a `method`, a `result` or an `error`."))

    def _receive_request(self, number: MessageId, method: str, params: Any) -> None:
        try:
            self._admit(number, method)
            request = JsonRPCRequestMessage(number, method, self.VERSION, self._structured(method, params))  # type: ignore[arg-type]
        except exceptions.JsonRpcException as error:
            self.fail(number, error)
        else:
            self.handle_message(request)

    def _admit(self, number: MessageId, method: str) -> None:
        """Raise exceptions.JsonRpcException for a request that may not be sent now, or that has no handler."""
        if self._server.was_shut_down:
            raise exceptions.JsonRpcInvalidRequest("The server was shut down; only `exit` may follow.")
        if not self._server.is_initialized and method != types.INITIALIZE:
            raise exceptions.JsonRpcServerNotInitialized("The first request must be `initialize`.")
        if method not in self.fm.features:
            raise exceptions.JsonRpcMethodNotFound(f"There is no method `{method}`.")
        if number in self._request_futures:
            raise exceptions.JsonRpcInvalidRequest(f"The request {number!r} is being answered already.")

    def _receive_notification(self, method: str, params: Any) -> None:
        if method == types.CANCEL_REQUEST:
            number = params.get("id") if isinstance(params, dict) else None
            if _is_id(number) and number in self._request_futures:
                # It is removed when it has been answered.
                self._request_futures[number].cancel()
        elif method == types.EXIT or (
            self._server.is_initialized and not self._server.was_shut_down and method in self.fm.features
        ):
            try:
                notification = JsonRPCNotification(method, self.VERSION, self._structured(method, params))
            except exceptions.JsonRpcException as error:
                _log.warning("The notification %s was ignored: %s", method, error.message)
            else:
                self.handle_message(notification)

    def _receive_response(self, number: Any, content: dict[str, Any]) -> None:
        error = content.get("error")
        if error is not None:
            _log.warning("The client refused a request: %s", error)
        if number in self._request_futures:
            self._result_types.pop(number, None)
            unknown = types.ResponseError(RequestError.CODE, "The client gave no reason.")
            refusal = structured_or_none(error, types.ResponseError) or unknown if "error" in content else None
            self._handle_response(number, content.get("result"), refusal)

    def _refuse_unreadable(self, content: dict[str, Any], reason: str) -> None:
        """Answer a message that is not JSON with an error, so that neither side waits for ever."""
        number = content.get("id")
        if number is None or "method" in content:
            self.fail(number, exceptions.JsonRpcParseError(reason))
        else:
            self._receive_response(number, {"error": {"code": exceptions.JsonRpcParseError.CODE, "message": reason}})

    def _structured(self, method: str, params: Any) -> Any:
        kind = _params_type(method)
        return params if kind is None else structure(params, kind, "params")

    # What handlers return

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        def finish(future: Future[Any]) -> None:
            if self._request_futures.get(msg_id) is future:
                del self._request_futures[msg_id]
            callback(future)

        super()._execute_handler(msg_id, handler, finish, args, kwargs)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        try:
            self._send_response(msg_id, result=future.result())
        except asyncio.CancelledError:
            self.fail(msg_id, exceptions.JsonRpcRequestCancelled("The request was cancelled."))
        except exceptions.JsonRpcException as error:
            self.fail(msg_id, error)
        except Exception as error:  # noqa: BLE001 - any error is reported to the client.
            _log.exception("A request could not be answered.")
            self.fail(msg_id, exceptions.JsonRpcInternalError(f"{type(error).__name__}: {error}."))

    def _check_handler_result(self, future: Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            _log.error("A notification could not be handled.", exc_info=error)

    # Messages that go out

    def _send_data(self, data: Any) -> None:
        if self.writer is None:
            return
        body = _encoded(data).encode("ascii")
        header = b"Content-Length: %d\r\n\r\n" % len(body) if self._include_headers else b""
        try:
            self.writer.write(header + body)
        except (OSError, ValueError) as error:
            _log.warning("The client is gone: %s", error)
            self._server.stopped.set()

    def fail(self, number: MessageId, error: exceptions.JsonRpcException) -> None:
        """Answer a request with an error; `number` is None where it is not known."""
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": error.to_response_error()})

    def request_without_answer(self, method: str, params: Any = None) -> None:
        """Send a request whose answer is ignored."""
        number = str(uuid4())
        self.send_request(method, params, msg_id=number)
        self._forget_request(number)

    async def ask(self, method: str, params: Any) -> Any:
        """Return the client's answer as JSON. Being cancelled cancels the request. Raise JsonRpcException."""
        number = str(uuid4())
        answer = self.send_request(method, params, msg_id=number)
        try:
            return await asyncio.wrap_future(answer)
        except asyncio.CancelledError:
            self.notify(types.CANCEL_REQUEST, types.CancelParams(number))
            raise
        finally:
            self._forget_request(number)

    def _forget_request(self, number: str) -> None:
        self._request_futures.pop(number, None)
        self._result_types.pop(number, None)


@cache
def _params_type(method: str) -> type | None:
    """Return lsprotocol's type of the parameters of a method; None if it has no fields."""
    kind: Any = types.METHOD_TO_TYPES[method][2] if method in types.METHOD_TO_TYPES else None
    return kind if kind is not None and attrs.fields(kind) else None


def _encoded(data: Any) -> str:
    """Return a message as JSON text, into which a result or parameters that are JSON text are inserted."""
    for name in ("result", "params"):
        value = getattr(data, name, None)
        if isinstance(value, JsonText):
            members = {"jsonrpc": data.jsonrpc} | {
                key: getattr(data, key) for key in ("id", "method") if hasattr(data, key)
            }
            return f'{json.dumps(members)[:-1]}, "{name}": {value}}}'
    return to_json_text(data)


def _legible(body: bytes) -> dict[str, Any]:
    """Return the readable part of a message that is not UTF-8; nothing if it is not a message."""
    try:
        content = json.loads(body.decode(errors="replace"))
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and _is_id(content.get("id")) else {}


def _is_id(number: Any) -> bool:
    return number is None or (isinstance(number, (int, str)) and not isinstance(number, bool))
