"""The expressions of Nunjucks as nodes of jinja2. Each operation is a filter whose name no template can contain.

Nunjucks compiles expressions to JavaScript, which evaluates operators of equal precedence from left to right.
"""

from collections.abc import Callable, Iterable

from jinja2 import nodes

from rubric_core.nunjucks.lexer import DECIMAL, INTEGER, NAME, OPERATOR, TEXT, Token
from rubric_core.nunjucks.limits import TemplateFailure

# Operators from left to right, those of a later rank before those of an earlier one.
_RANKS = (("==", "===", "!=", "!=="), ("<", ">", "<=", ">="), ("~", "+", "-"), ("*", "/", "%"))
_CONSTANTS = {"true": True, "false": False, "none": None, "null": None}
_CLOSING = frozenset((")", "]", "}"))
_DEEPEST = 50


def operation(name: str, line: int, *values: nodes.Expr) -> nodes.Expr:
    """Return a node that calls one of our operations."""
    return nodes.Filter(values[0], f"js:{name}", list(values[1:]), [], None, None, lineno=line)


def constant(value: object, line: int) -> nodes.Expr:
    """Return a node for a text, a number, true, false or null."""
    return nodes.Const(value, lineno=line)


def _negated(node: nodes.Expr, negations: int) -> nodes.Expr:
    for _ in range(negations):
        node = nodes.Not(node, lineno=node.lineno)
    return node


_Build = Callable[[int], nodes.Expr]
"""Makes a node of what is read, with its first value negated a number of times."""


class Expressions:
    """Reads expressions from tokens."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        self._tokens = list(tokens)
        self._place = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """Return the token that is read next."""
        if self._place >= len(self._tokens):
            raise TemplateFailure("the template ends inside of a tag or block", self.line)
        return self._tokens[self._place]

    @property
    def is_at_end(self) -> bool:
        """Return whether all tokens are read."""
        return self._place >= len(self._tokens)

    @property
    def line(self) -> int:
        """Return the line of the next token, or of the last."""
        return self._tokens[min(self._place, len(self._tokens) - 1)].line if self._tokens else 1

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self.token
        self._place += 1
        return token

    def is_operator(self, *values: str) -> bool:
        """Return whether one of some operators comes next."""
        return self.token.kind == OPERATOR and self.token.value in values

    def skip_operator(self, value: str) -> bool:
        """Go past an operator if it comes next, and return whether it did."""
        is_next = self.is_operator(value)
        self._place += is_next
        return is_next

    def skip_word(self, *words: str) -> bool:
        """Go past a word if it comes next, and return whether it did."""
        is_next = self.token.kind == NAME and self.token.value in words
        self._place += is_next
        return is_next

    def expect_operator(self, value: str) -> None:
        """Go past an operator that must come next."""
        if not self.skip_operator(value):
            raise self.fail(self.token)

    def take_name(self) -> Token:
        """Return the next token, which must be a name, and go on."""
        token = self.take()
        if token.kind != NAME:
            raise self.fail(token)
        return token

    def fail(self, token: Token) -> TemplateFailure:
        """Return the failure at a token that is not expected."""
        shown = token.value or token.kind
        return TemplateFailure(f"`{shown}` is not expected there", token.line)

    def expression(self) -> nodes.Expr:
        """Read an expression."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TemplateFailure(f"it nests more than {_DEEPEST} expressions", self.line)
        value = self._or()
        line = self.line
        if self.skip_word("if"):
            test = self._or()
            other = self._or() if self.skip_word("else") else constant("", line)
            value = nodes.CondExpr(test, value, other, lineno=line)
        self._depth -= 1
        return value

    def _or(self) -> nodes.Expr:
        value = self._and()
        while self.skip_word("or"):
            value = nodes.Or(value, self._and(), lineno=self.line)
        return value

    def _and(self) -> nodes.Expr:
        value = self._not()
        while self.skip_word("and"):
            value = nodes.And(value, self._not(), lineno=self.line)
        return value

    def _not(self) -> nodes.Expr:
        """Read a negation. It applies to the first value only, unless a function takes them all."""
        negations = 0
        while self.skip_word("not"):
            negations += 1
        build = self._compared()
        if self._is_word("is") or self._is_in():
            return _negated(self._contained(self._tested(build(0))), negations)
        return build(negations)

    def _is_word(self, word: str) -> bool:
        return self.token[:2] == (NAME, word)

    def _is_in(self) -> bool:
        following = self._tokens[self._place + 1] if self._place + 1 < len(self._tokens) else self.token
        return self._is_word("in") or (self._is_word("not") and following[:2] == (NAME, "in"))

    def _contained(self, value: nodes.Expr) -> nodes.Expr:
        while self._is_in():
            line, inverted = self.line, self.skip_word("not")
            self.take()
            value = operation("in", line, value, self._tested(self._compared()(0)))
            value = nodes.Not(value, lineno=line) if inverted else value
        return value

    def _tested(self, value: nodes.Expr) -> nodes.Expr:
        line = self.line
        if not self.skip_word("is"):
            return value
        inverted = self.skip_word("not")
        name = self.take_name()
        given = self._arguments()[0] if self.is_operator("(") else []
        value = operation("test", line, value, constant(name.value, line), *given)
        return nodes.Not(value, lineno=line) if inverted else value

    def _compared(self, rank: int = 0) -> _Build:
        """Read values with operators of one rank between them, and return the function that makes their node."""
        if rank == len(_RANKS):
            value = self._repeated("//", lambda: self._repeated("**", self._unary))
            return lambda negations: _negated(value, negations)
        first = self._compared(rank + 1)
        rest: list[tuple[Token, nodes.Expr]] = []
        while self.is_operator(*_RANKS[rank]):
            rest.append((self.take(), self._compared(rank + 1)(0)))

        def build(negations: int) -> nodes.Expr:
            result = first(negations)
            for operator, value in rest:
                result = operation(operator.value, operator.line, result, value)
            return result

        return build

    def _repeated(self, mark: str, read: Callable[[], nodes.Expr]) -> nodes.Expr:
        result = read()
        while self.is_operator(mark):
            operator = self.take()
            result = operation(mark, operator.line, result, read())
        return result

    def _unary(self) -> nodes.Expr:
        signs = []
        while self.is_operator("-", "+"):
            signs.append(self.take())
        value = self.primary()
        for sign in reversed(signs):
            value = operation("negative" if sign.value == "-" else "positive", sign.line, value)
        while self.skip_operator("|"):
            value = self.filter_call(value)
        return value

    def filter_call(self, value: nodes.Expr) -> nodes.Expr:
        """Read the name and the arguments of a filter."""
        name = self.take_name()
        text = name.value
        while self.skip_operator("."):
            text += f".{self.take().value}"
        given, named = self._arguments() if self.is_operator("(") else ([], None)
        given += [] if named is None else [named]
        return operation("filter", name.line, value, constant(text, name.line), *given)

    def primary(self) -> nodes.Expr:
        """Read a value, with the look-ups and calls behind it."""
        token = self.take()
        if token.kind == TEXT:
            value = constant(token.value, token.line)
        elif token.kind in {INTEGER, DECIMAL}:
            value = operation("number", token.line, constant(token.value, token.line))
        elif token.kind == NAME and token.value in _CONSTANTS:
            value = constant(_CONSTANTS[token.value], token.line)
        elif token.kind == NAME:
            value = operation("name", token.line, constant(token.value, token.line))
        else:
            value = self._aggregate(token)
        return self._looked_up(value, token.value if token.kind == NAME else "the value")

    def _looked_up(self, value: nodes.Expr, name: str) -> nodes.Expr:
        while self.is_operator("(", "[", "."):
            line = self.line
            if self.is_operator("("):
                given, named = self._arguments()
                value = operation("call", line, value, constant(name, line), named or constant(None, line), *given)
            elif self.skip_operator("."):
                part = self.take_name()
                name = f"{name}.{part.value}"
                value = operation("get", line, value, constant(part.value, line))
            else:
                self.take()
                value, name = operation("get", line, value, self.expression()), f"{name}[...]"
                self.expect_operator("]")
        return value

    def _aggregate(self, opened: Token) -> nodes.Expr:
        """Read a list, a mapping, or values in parentheses, the last of which is the result."""
        if opened.kind != OPERATOR or opened.value not in {"(", "[", "{"}:
            raise self.fail(opened)
        items: list[nodes.Expr] = []
        while not self.is_operator(*_CLOSING):
            if items:
                self.expect_operator(",")
            if self.is_operator(*_CLOSING):
                break
            items += self._pair() if opened.value == "{" else [self.expression()]
        closed = self.take()
        if opened.value == "(" and not items:
            raise self.fail(closed)
        if opened.value == "(":
            return items[-1]
        return operation("list" if opened.value == "[" else "mapping", opened.line, constant(None, opened.line), *items)

    def _pair(self) -> list[nodes.Expr]:
        key = self.take()
        if key.kind not in {NAME, TEXT}:
            raise self.fail(key)
        self.expect_operator(":")
        return [constant(key.value, key.line), self.expression()]

    def _arguments(self) -> tuple[list[nodes.Expr], nodes.Expr | None]:
        """Read arguments in parentheses: the positional ones, and a mapping of the named ones."""
        line = self.take().line
        given: list[nodes.Expr] = []
        named: list[nodes.Expr] = []
        while not self.skip_operator(")"):
            if given or named:
                self.expect_operator(",")
            token = self.token
            value = self.expression()
            if token.kind == NAME and self.skip_operator("="):
                named += [constant(token.value, line), self.expression()]
            else:
                given.append(value)
        return given, operation("mapping", line, constant(None, line), *named) if named else None
