"""Code actions: fixes, comments that silence a problem, refactors, and all safe fixes of the file at once.

Edits that take long are computed when the client resolves an action. A client that cannot resolve gets a command
instead, and one without code actions gets commands only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from lsprotocol import types

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.actions import (
    MOST_PROBLEMS,
    OfferedRefactor,
    QuickFix,
    fixes_of,
    may_have_safe_fixes,
    problems_in,
    refactors_in,
    rule_fixes_of,
    suppressions_of,
)
from rubric_core.assist.commands import APPLY_ACTION
from rubric_core.assist.fix_all import fix_all
from rubric_core.assist.migration_actions import is_on_case_list, key_migrations, migrate_file, targets_of_migration
from rubric_core.assist.refactors.refactor import Nature, NewFile
from rubric_core.rules.problem import Problem
from rubric_core.text.spans import Edit, Span
from rubric_server.app import RubricServer
from rubric_server.arguments import ActionData
from rubric_server.convert import (
    SOURCE,
    Client,
    Ranges,
    diagnostic_of,
    span_of,
    uri_of,
    with_new_file,
    workspace_edit_of,
)
from rubric_server.documents import OpenDocument
from rubric_server.protocol.converter import structured_or_none, to_json
from rubric_server.work_queue import Work, about_this_text

if TYPE_CHECKING:
    Offered = types.CodeAction | types.Command

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = f"source.fixAll.{SOURCE}"
MIGRATE = f"source.migrate.{SOURCE}"
FIX_ALL_TITLE = "Fix all problems that can be fixed safely"
# The protocol reads a position behind the end of a line as its end.
_END_OF_LINE = 2**31 - 1
_REFACTORS = {
    Nature.REWRITE: types.CodeActionKind.RefactorRewrite.value,
    Nature.EXTRACT: types.CodeActionKind.RefactorExtract.value,
    Nature.INLINE: types.CodeActionKind.RefactorInline.value,
}


async def code_action(server: RubricServer, params: types.CodeActionParams) -> list[Offered]:
    """Return the actions for a range, of the kinds that the client requests."""
    suite = server.documents.analysed(params.text_document.uri)
    if suite is None or not (server.client.action_literals or server.client.applies_edits):
        return []
    document, analysis = suite
    span = span_of(document.text, params.range, server.client.encoding)
    only = params.context.only
    offer = _Offer(server.client, document, analysis, only)
    remedies = list(offer.remedies(params.range, span, params.context.diagnostics))
    # Sorting ranges is a fix where their order is reported, and a refactor elsewhere in them.
    titles = {remedy.title for remedy in remedies}
    actions = [*remedies, *(refactor for refactor in offer.refactors(span) if refactor.title not in titles)]
    actions += offer.migrations(span)
    if not offer.wants(FIX_ALL) or not may_have_safe_fixes(analysis):
        return actions
    if only is not None and not server.client.resolves_actions:
        # A client that requests this kind by name, as when saving, applies the edit at once.
        edits = await server.work.run(about_this_text(document, fix_all(analysis)))
        return [*actions, offer.with_edits(FIX_ALL_TITLE, FIX_ALL, edits)] if edits else actions
    return [*actions, *offer.delayed(FIX_ALL_TITLE, FIX_ALL, do="fixAll")]


async def resolve(server: RubricServer, action: types.CodeAction) -> types.CodeAction:
    """Return an action with its edit; without one if the action no longer applies to the text."""
    data = structured_or_none(action.data, ActionData)
    edit = None if data is None else await server.work.run(edit_of_data(server, data))
    return action if edit is None else attrs.evolve(action, edit=edit)


def edit_of_data(server: RubricServer, data: ActionData) -> Work[types.WorkspaceEdit | None]:
    """Return the edit of an action; None where there is nothing left to do."""
    suite = server.documents.analysed(data.uri)
    if suite is None:
        return None
    document, analysis = suite
    if data.do == "refactor":
        if data.version != document.version:
            return None
        offered = next(refactors_in(analysis, Span(data.start, data.end), data.name), None)
        return edit_of_refactor(server.client, document, offered) if offered is not None else None
    edits: tuple[Edit, ...] | None
    if data.do == "migrate":
        migrated = yield from about_this_text(document, migrate_file(analysis, data.name))
        edits, message = migrated or ((), "")
        if message:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
    else:
        # Fixing a whole file means the same after an edit, so the fixes are those of the current text.
        codes = None if data.do == "fixAll" else (data.code,)
        edits = yield from about_this_text(document, fix_all(analysis, codes))
    return workspace_edit_of(document, edits, server.client) if edits else None


def edit_of_refactor(client: Client, document: OpenDocument, offered: OfferedRefactor) -> types.WorkspaceEdit | None:
    """Return the edit of a refactor; the file that it makes is a part of it where the client can make files."""
    edits = offered.edits()
    if edits is None:
        return None
    edit = workspace_edit_of(document, edits, client)
    if offered.new_file is None or not client.makes_files:
        return edit
    return with_new_file(edit, uri_of(path_of_new_file(document, offered.new_file)), offered.new_file.text)


def path_of_new_file(document: OpenDocument, new: NewFile) -> Path:
    """Return where a refactor makes a file: below the folder of the document."""
    return Path(document.path).parent / new.path


def _whole_lines(place: types.Range) -> types.Range:
    """Return the lines that a range touches; the one that it ends in front of is none of them."""
    first, last = place.start.line, place.end.line
    if last > first and place.end.character == 0:
        last -= 1
    return types.Range(types.Position(first, 0), types.Position(last, _END_OF_LINE))


@dataclass
class _Offer:
    """Makes the actions for one client and one document; `only` are the kinds that are wanted, None for all."""

    client: Client
    document: OpenDocument
    analysis: Analysis
    only: Sequence[str] | None

    def wants(self, kind: str) -> bool:
        """Return whether a kind is requested: no kind is named, or the kind itself or a kind above it."""
        return self.only is None or any(
            not requested or f"{kind}.".startswith(f"{requested}.") for requested in self.only
        )

    def remedies(self, place: types.Range, span: Span, diagnostics: Sequence[types.Diagnostic]) -> Iterator[Offered]:
        """Yield the fixes of the problems of a place, then the comments that suppress them."""
        problems = self._problems(place, span, diagnostics) if self.wants(QUICK_FIX) else []
        if not problems:
            return
        for fix in fixes_of(problems):
            yield self._remedy(fix)
        for migration in key_migrations(self.analysis, problems):
            yield self._remedy(migration)
        for rule_fix in rule_fixes_of(self.analysis, problems):
            yield from self.delayed(rule_fix.title, QUICK_FIX, rule_fix.problems, do="fixRule", code=rule_fix.code)
        for suppression in suppressions_of(self.analysis, problems):
            yield self._remedy(suppression)

    def _problems(self, place: types.Range, span: Span, diagnostics: Sequence[types.Diagnostic]) -> list[Problem]:
        """Return the problems that touch a span, then those that the client names, then those of the same lines."""
        touched = problems_in(self.analysis, span)
        for diagnostic in diagnostics[:MOST_PROBLEMS]:
            named = self._span_of(diagnostic.range)
            touched += [item for item in problems_in(self.analysis, named) if diagnostic.code in {None, item.code}]
        # In JSON Lines, a line is a whole case.
        if not self.analysis.document.json_lines:
            touched += problems_in(self.analysis, self._span_of(_whole_lines(place)))
        problems: dict[tuple[str, Span, str], Problem] = {}
        for item in touched:
            problems.setdefault((item.code, item.span, item.message), item)
        return list(problems.values())[:MOST_PROBLEMS]

    def _span_of(self, place: types.Range) -> Span:
        return span_of(self.document.text, place, self.client.encoding)

    def refactors(self, span: Span) -> Iterator[Offered]:
        """Yield the refactors that fit a span."""
        if any(map(self.wants, _REFACTORS.values())):
            for offered in refactors_in(self.analysis, span):
                if self.wants(_REFACTORS[offered.refactor.nature]):
                    yield from self._refactor(offered, span)

    def migrations(self, span: Span) -> Iterator[Offered]:
        """Yield the migrations of the whole file: where they are asked for, or at the list of cases."""
        is_asked = self.only is not None and self.wants(MIGRATE)
        if is_asked or (self.only is None and is_on_case_list(self.analysis, span.start)):
            for target in targets_of_migration(self.analysis):
                title = f"Migrate this file to {target.title}"
                yield from self.delayed(title, MIGRATE, do="migrate", name=target.name)

    def delayed(self, title: str, kind: str, problems: Sequence[Problem] = (), **what: Any) -> Iterator[Offered]:
        """Yield an action whose edit is computed when it is resolved, or applied by a command."""
        data = self._data(**what)
        action = self._action(title, kind, problems)
        if self.client.resolves_actions:
            action.data = data
            yield action
        elif self.client.applies_edits:
            yield self._with_command(action, {"data": data})

    def _data(self, **what: Any) -> dict[str, Any]:
        return attrs.asdict(ActionData(uri=self.document.uri, version=self.document.version, **what))

    def with_edits(self, title: str, kind: str, edits: Iterable[Edit], problems: Sequence[Problem] = ()) -> Offered:
        """Return an action with edits of the document, or a command that applies them."""
        return self._with_edit(
            self._action(title, kind, problems), workspace_edit_of(self.document, edits, self.client)
        )

    def _with_edit(self, action: types.CodeAction, edit: types.WorkspaceEdit) -> Offered:
        if self.client.action_literals:
            action.edit = edit
            return action
        about = {"uri": self.document.uri, "version": self.document.version}
        return self._with_command(action, {**about, "edit": to_json(edit)})

    def _action(self, title: str, kind: str, problems: Sequence[Problem]) -> types.CodeAction:
        action = types.CodeAction(title, kind)
        if problems:
            ranges = Ranges(self.document.text, self.client.encoding)
            action.diagnostics = [
                diagnostic_of(problem, self.document.uri, ranges, self.client) for problem in problems
            ]
        return action

    def _with_command(self, action: types.CodeAction, argument: dict[str, Any]) -> Offered:
        action.command = types.Command(title=action.title, command=APPLY_ACTION, arguments=[argument])
        return action if self.client.action_literals else action.command

    def _remedy(self, remedy: QuickFix) -> Offered:
        action = self.with_edits(remedy.title, QUICK_FIX, remedy.edits, remedy.problems)
        if remedy.is_preferred and self.client.prefers_actions and isinstance(action, types.CodeAction):
            action.is_preferred = True
        return action

    def _refactor(self, offered: OfferedRefactor, span: Span) -> Iterator[Offered]:
        kind = _REFACTORS[offered.refactor.nature]
        what: dict[str, Any] = {"do": "refactor", "name": offered.refactor.name, "start": span.start, "end": span.end}
        if offered.new_file is not None and not self.document.path:
            # A text that was never saved has no folder.
            return
        if offered.new_file is not None and not self.client.makes_files:
            if self.client.applies_edits:
                yield self._with_command(self._action(offered.title, kind, ()), {"data": self._data(**what)})
        elif self.client.resolves_actions:
            yield from self.delayed(offered.title, kind, **what)
        elif (edit := edit_of_refactor(self.client, self.document, offered)) is not None:
            yield self._with_edit(self._action(offered.title, kind, ()), edit)
