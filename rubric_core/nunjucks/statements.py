"""The tags of Nunjucks as nodes of jinja2.

Variables are in frames of our own, because they have the scope of Nunjucks; the names in the nodes are generated.
"""

from collections.abc import Iterable

from jinja2 import nodes

from rubric_core.nunjucks.expressions import Expressions, constant, operation
from rubric_core.nunjucks.lexer import CLOSE_TAG, CLOSE_VALUE, DATA, NAME, OPEN_TAG, OPEN_VALUE, Token
from rubric_core.nunjucks.limits import TemplateFailure

_OTHER_FILES = frozenset(("include", "import", "from", "extends"))
_NOT_SUPPORTED = frozenset(("asyncEach", "asyncAll", "ifAsync"))
_DEEPEST = 15


class Parser(Expressions):
    """Reads a template."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        super().__init__(tokens)
        self._made = 0
        self._blocks = 0
        self._tags = {
            "if": self._if,
            "for": self._for,
            "set": self._set,
            "macro": self._macro,
            "call": self._call,
            "filter": self._filter,
            "switch": self._switch,
            "block": self._block,
        }

    def template(self) -> nodes.Template:
        """Read the whole template. Raises TemplateFailure where it is invalid."""
        return nodes.Template(self._until(), lineno=1)

    def _new(self) -> str:
        self._made += 1
        return f"_made_{self._made}"

    def _until(self, *ends: str) -> list[nodes.Node]:
        """Read up to the name of one of these tags, or to the end of the template if there are none."""
        body: list[nodes.Node] = []
        self._blocks += 1
        if self._blocks > _DEEPEST:
            raise TemplateFailure(f"it nests more than {_DEEPEST} blocks", self.line)
        while not self.is_at_end:
            token = self.take()
            if token.kind == DATA:
                shown = operation("data", token.line, constant(int(token.value), token.line))
                body.append(nodes.Output([shown], lineno=token.line))
            elif token.kind == OPEN_VALUE:
                body.append(nodes.Output([self.expression()], lineno=token.line))
                self._expect(CLOSE_VALUE)
            elif token.kind == OPEN_TAG:
                if self.token.kind == NAME and self.token.value in ends:
                    self._blocks -= 1
                    return body
                body += self._statement()
        if ends:
            raise TemplateFailure(f"`{ends[-1]}` is missing", self.line)
        self._blocks -= 1
        return body

    def _expect(self, kind: str) -> None:
        token = self.take()
        if token.kind != kind:
            raise self.fail(token)

    def _end(self) -> None:
        """Read the name of a tag and its end."""
        self.take()
        self._expect(CLOSE_TAG)

    def _statement(self) -> list[nodes.Node]:
        tag = self.take()
        if tag.value in _OTHER_FILES:
            raise TemplateFailure(f"`{tag.value}` is refused, because a template must not read other files", tag.line)
        if tag.value in _NOT_SUPPORTED:
            raise TemplateFailure(f"the tag `{tag.value}` is not supported", tag.line)
        read = self._tags.get(tag.value) if tag.kind == NAME else None
        if read is None:
            raise TemplateFailure(f"there is no tag `{tag.value or tag.kind}` here", tag.line)
        return read(tag.line)

    def _do(self, name: str, line: int, *values: nodes.Expr) -> nodes.Node:
        return nodes.ExprStmt(operation(name, line, *(values or (constant(None, line),))), lineno=line)

    def _if(self, line: int) -> list[nodes.Node]:
        test = self.expression()
        self._expect(CLOSE_TAG)
        body = self._until("elif", "elseif", "else", "endif")
        word = self.take()
        if word.value in {"elif", "elseif"}:
            return [nodes.If(test, body, [], self._if(word.line), lineno=line)]
        self._expect(CLOSE_TAG)
        other: list[nodes.Node] = []
        if word.value == "else":
            other = self._until("endif")
            self._end()
        return [nodes.If(test, body, [], other, lineno=line)]

    def _for(self, line: int) -> list[nodes.Node]:
        names = self._names(line)
        if not self.skip_word("in"):
            raise self.fail(self.token)
        values = operation("loop", line, self.expression(), *names)
        self._expect(CLOSE_TAG)
        body = self._until("else", "endfor")
        other: list[nodes.Node] = []
        if self.token.value == "else":
            self._end()
            other = self._until("endfor")
        self._end()
        target = nodes.Name(self._new(), "store", lineno=line)
        body = body or [self._do("nothing", line)]
        loop = nodes.For(target, values, body, other, None, False, lineno=line)
        return [self._do("push", line), loop, self._do("pop", line)]

    def _names(self, line: int) -> list[nodes.Expr]:
        """Read names with commas between them."""
        names = [constant(self.take_name().value, line)]
        while self.skip_operator(","):
            names.append(constant(self.take_name().value, line))
        return names

    def _set(self, line: int) -> list[nodes.Node]:
        names = self._names(line)
        if self.skip_operator("="):
            value = self.expression()
            self._expect(CLOSE_TAG)
            return [self._do("set", line, value, *names)]
        self._expect(CLOSE_TAG)
        captured, value = self._captured("endset", line)
        return [captured, self._do("set", line, value, *names)]

    def _captured(self, end: str, line: int) -> tuple[nodes.Node, nodes.Expr]:
        """Read a block whose text becomes a value."""
        name = self._new()
        body = self._until(end)
        self._end()
        target = nodes.Name(name, "store", lineno=line)
        return nodes.AssignBlock(target, None, body, lineno=line), nodes.Name(name, "load", lineno=line)

    def _filter(self, line: int) -> list[nodes.Node]:
        place = self._place
        self.filter_call(constant(None, line))
        self._expect(CLOSE_TAG)
        captured, value = self._captured("endfilter", line)
        after, self._place = self._place, place
        shown = nodes.Output([self.filter_call(value)], lineno=line)
        self._place = after
        return [captured, shown]

    def _macro(self, line: int) -> list[nodes.Node]:
        name = self.take_name().value
        made, function = self._function("endmacro", line, keeps_frame=False)
        return [made, self._do("set", line, function, constant(name, line))]

    def _function(self, end: str, line: int, *, keeps_frame: bool) -> tuple[nodes.Node, nodes.Expr]:
        """Read parameters, and a body that is rendered when the function is called."""
        names: list[str] = []
        binds: list[nodes.Node] = []
        inner = self._new()
        parameters: list[nodes.Name] = []
        if self.skip_operator("("):
            while not self.skip_operator(")"):
                if names:
                    self.expect_operator(",")
                names.append(self.take_name().value)
                parameters.append(nodes.Name(self._new(), "param", lineno=line))
                value: nodes.Expr = nodes.Name(parameters[-1].name, "load", lineno=line)
                if self.skip_operator("="):
                    given = operation("is given", line, value)
                    value = nodes.CondExpr(given, value, self.expression(), lineno=line)
                binds.append(self._do("bind", line, value, constant(names[-1], line)))
        elif not keeps_frame:
            raise self.fail(self.token)
        if end == "endmacro":
            self._expect(CLOSE_TAG)
        body = self._until(end)
        self._end()
        made = nodes.Macro(inner, parameters, [], [*binds, *body], lineno=line)
        shown = [constant(name, line) for name in names]
        function = nodes.Name(inner, "load", lineno=line)
        return made, operation("function", line, function, constant(keeps_frame, line), *shown)

    def _call(self, line: int) -> list[nodes.Node]:
        """Read a call whose block is passed to the macro as `caller`."""
        place = self._place
        self._place = names_end = self._parameters_end()
        called = self.primary()
        self._expect(CLOSE_TAG)
        body_start, self._place = self._place, place
        self._tokens[names_end:body_start] = []
        made, function = self._function("endcall", line, keeps_frame=True)
        if not isinstance(called, nodes.Filter) or called.name != "js:call":
            raise TemplateFailure("`call` needs the call of a macro", line)
        values = called.args
        named = values[1]
        values[1] = operation("with caller", line, named, function)
        return [made, nodes.Output([called], lineno=line)]

    def _parameters_end(self) -> int:
        if not self.is_operator("("):
            return self._place
        depth, place = 0, self._place
        while True:
            token = self._tokens[place] if place < len(self._tokens) else self._tokens[-1]
            depth += (token.value == "(") - (token.value == ")")
            place += 1
            if depth == 0 or place >= len(self._tokens):
                return place

    def _switch(self, line: int) -> list[nodes.Node]:
        name = self._new()
        value = operation("value", line, self.expression())
        self._expect(CLOSE_TAG)
        self._until("case", "default", "endswitch")
        tests: list[nodes.Expr] = []
        cases: list[tuple[nodes.Expr, list[nodes.Node]]] = []
        while self.token.value == "case":
            self.take()
            held = nodes.Name(name, "load", lineno=self.line)
            tests.append(operation("===", self.line, held, self.expression()))
            self._expect(CLOSE_TAG)
            body = self._until("case", "default", "endswitch")
            if body:
                test = tests[0]
                for other in tests[1:]:
                    test = nodes.Or(test, other, lineno=line)
                cases.append((test, body))
                tests = []
        rest: list[nodes.Node] = []
        if self.token.value == "default":
            self._end()
            rest = self._until("endswitch")
        self._end()
        for test, body in reversed(cases):
            rest = [nodes.If(test, body, [], rest, lineno=line)]
        return [nodes.Assign(nodes.Name(name, "store", lineno=line), value, lineno=line), *rest]

    def _block(self, line: int) -> list[nodes.Node]:
        name = self.take_name().value
        self._expect(CLOSE_TAG)
        body = self._until("endblock")
        self.take()
        self.skip_word(name)
        self._expect(CLOSE_TAG)
        return [self._do("push", line), *body, self._do("pop", line)]
