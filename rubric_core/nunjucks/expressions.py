"""The expressions of Nunjucks as nodes of jinja2. What they do is in filters with names that no template can write.

JavaScript reads what Nunjucks compiles once more, and operators of one rank from left to right: so they are read here.
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


def _negated(found: nodes.Expr, negations: int) -> nodes.Expr:
    for _ in range(negations):
        found = nodes.Not(found, lineno=found.lineno)
    return found


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
        found = self.is_operator(value)
        self._place += found
        return found

    def skip_word(self, *words: str) -> bool:
        """Go past a word if it comes next, and return whether it did."""
        found = self.token.kind == NAME and self.token.value in words
        self._place += found
        return found

    def fail(self, token: Token) -> TemplateFailure:
        """Return the failure at a token that is not expected."""
        shown = token.value or token.kind
        return TemplateFailure(f"`{shown}` is not expected there", token.line)

    def expression(self) -> nodes.Expr:
        """Read an expression."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TemplateFailure(f"it nests more than {_DEEPEST} expressions", self.line)
        found = self._or()
        line = self.line
        if self.skip_word("if"):
            test = self._or()
            other = self._or() if self.skip_word("else") else constant("", line)
            found = nodes.CondExpr(test, found, other, lineno=line)
        self._depth -= 1
        return found

    def _or(self) -> nodes.Expr:
        found = self._and()
        while self.skip_word("or"):
            found = nodes.Or(found, self._and(), lineno=self.line)
        return found

    def _and(self) -> nodes.Expr:
        found = self._not()
        while self.skip_word("and"):
            found = nodes.And(found, self._not(), lineno=self.line)
        return found

    def _not(self) -> nodes.Expr:
        """Read a negation. JavaScript negates the first value only, unless a function takes them all."""
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

    def _contained(self, found: nodes.Expr) -> nodes.Expr:
        while self._is_in():
            line, inverted = self.line, self.skip_word("not")
            self.take()
            found = operation("in", line, found, self._tested(self._compared()(0)))
            found = nodes.Not(found, lineno=line) if inverted else found
        return found

    def _tested(self, found: nodes.Expr) -> nodes.Expr:
        line = self.line
        if not self.skip_word("is"):
            return found
        inverted = self.skip_word("not")
        name = self.take()
        if name.kind != NAME:
            raise self.fail(name)
        given = self._arguments()[0] if self.is_operator("(") else []
        found = operation("test", line, found, constant(name.value, line), *given)
        return nodes.Not(found, lineno=line) if inverted else found

    def _compared(self, rank: int = 0) -> _Build:
        """Read values with operators of one rank between them, and return what makes a node of them."""
        if rank == len(_RANKS):
            found = self._repeated("//", lambda: self._repeated("**", self._unary))
            return lambda negations: _negated(found, negations)
        first = self._compared(rank + 1)
        rest: list[tuple[Token, nodes.Expr]] = []
        while self.is_operator(*_RANKS[rank]):
            rest.append((self.take(), self._compared(rank + 1)(0)))

        def build(negations: int) -> nodes.Expr:
            found = first(negations)
            for operator, value in rest:
                found = operation(operator.value, operator.line, found, value)
            return found

        return build

    def _repeated(self, mark: str, read: Callable[[], nodes.Expr]) -> nodes.Expr:
        found = read()
        while self.is_operator(mark):
            operator = self.take()
            found = operation(mark, operator.line, found, read())
        return found

    def _unary(self) -> nodes.Expr:
        signs = []
        while self.is_operator("-", "+"):
            signs.append(self.take())
        found = self.primary()
        for sign in reversed(signs):
            found = operation("negative" if sign.value == "-" else "positive", sign.line, found)
        while self.skip_operator("|"):
            found = self.filter_call(found)
        return found

    def filter_call(self, value: nodes.Expr) -> nodes.Expr:
        """Read the name and the arguments of a filter."""
        name = self.take()
        if name.kind != NAME:
            raise self.fail(name)
        text = name.value
        while self.skip_operator("."):
            text += f".{self.take().value}"
        given, named = self._arguments() if self.is_operator("(") else ([], None)
        given += [] if named is None else [named]
        return operation("filter", name.line, value, constant(text, name.line), *given)

    def primary(self) -> nodes.Expr:
        """Read a value with what is looked up in it, and calls."""
        token = self.take()
        if token.kind == TEXT:
            found = constant(token.value, token.line)
        elif token.kind in {INTEGER, DECIMAL}:
            found = operation("number", token.line, constant(token.value, token.line))
        elif token.kind == NAME and token.value in _CONSTANTS:
            found = constant(_CONSTANTS[token.value], token.line)
        elif token.kind == NAME:
            found = operation("name", token.line, constant(token.value, token.line))
        else:
            found = self._aggregate(token)
        return self._looked_up(found, token.value if token.kind == NAME else "the value")

    def _looked_up(self, found: nodes.Expr, name: str) -> nodes.Expr:
        while self.is_operator("(", "[", "."):
            line = self.line
            if self.is_operator("("):
                given, named = self._arguments()
                found = operation("call", line, found, constant(name, line), named or constant(None, line), *given)
            elif self.skip_operator("."):
                part = self.take()
                if part.kind != NAME:
                    raise self.fail(part)
                name = f"{name}.{part.value}"
                found = operation("get", line, found, constant(part.value, line))
            else:
                self.take()
                found, name = operation("get", line, found, self.expression()), f"{name}[...]"
                if not self.skip_operator("]"):
                    raise self.fail(self.token)
        return found

    def _aggregate(self, opened: Token) -> nodes.Expr:
        """Read a list, a mapping, or what is between brackets, of which the last value counts."""
        if opened.kind != OPERATOR or opened.value not in {"(", "[", "{"}:
            raise self.fail(opened)
        items: list[nodes.Expr] = []
        while not self.is_operator(*_CLOSING):
            if items and not self.skip_operator(","):
                raise self.fail(self.token)
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
        if not self.skip_operator(":"):
            raise self.fail(self.token)
        return [constant(key.value, key.line), self.expression()]

    def _arguments(self) -> tuple[list[nodes.Expr], nodes.Expr | None]:
        """Read arguments between brackets: those by place, and a mapping of those with names."""
        line = self.take().line
        given: list[nodes.Expr] = []
        named: list[nodes.Expr] = []
        is_first = True
        while not self.skip_operator(")"):
            if not is_first and not self.skip_operator(","):
                raise self.fail(self.token)
            is_first = False
            token = self.token
            value = self.expression()
            if token.kind == NAME and self.skip_operator("="):
                named += [constant(token.value, line), self.expression()]
            else:
                given.append(value)
        return given, operation("mapping", line, constant(None, line), *named) if named else None
