#!/usr/bin/env bash
# The main job on one screen: check the broken example, fix a copy of it, grade another, show how to connect an editor.
# Nothing needs a key or a network, and everything happens in a temporary folder.
set -uo pipefail
cd "$(dirname "$0")/.."
BIN=${BIN:-.venv/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp examples/broken.eval.yaml examples/scorecard.eval.yaml examples/scorecard.answers.json examples/judgements.json "$work"

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
run() { printf '\033[2m$ rubric %s\033[0m\n' "$*"; (cd "$work" && "$rubric" "$@"); }
rubric=$(cd "$BIN" && pwd)/rubric

say "1. Check an eval file that is broken on purpose"
run check broken.eval.yaml
found=$?

say "2. Fix what keeps the meaning of the file"
run fix --diff broken.eval.yaml
run fix broken.eval.yaml

say "3. Fix the rest, after a look: these change what the file means"
run fix --unsafe broken.eval.yaml
run check broken.eval.yaml
left=$?

say "4. What a rule is about"
run explain RB103 | head -n 12

say "5. Grade an answer, with a recorded judgement in place of a model"
run grade scorecard.eval.yaml --judge replay:judgements.json
graded=$?
echo "Exit status $graded: 0 is a pass, 1 is not, 2 is an error."

say "6. See the result as a page"
run report
reported=$?
cat <<EOF
In a project of yours \`rubric report\` writes the latest run to rubric-report.html: open it in a browser.
To judge an answer yourself:  cd examples && ../$BIN/rubric grade scorecard.eval.yaml
To ask a model instead: docs/judges.md has the lines to paste.
EOF

say "7. See it in your editor"
cat <<EOF
One command opens these examples in an editor of yours, with everything set up:
  Visual Studio Code   make try EDITOR=code     (packages the extension and installs it; needs Node.js)
  Neovim               make try EDITOR=nvim
  Helix                make try EDITOR=hx
  Emacs                make try EDITOR=emacs
To keep it, or for any other editor: docs/editors.md has the lines to paste.
EOF

# The example has errors and after the fixes it has none, the answer passes and its page is written: anything else means
# that the tool is broken.
[ "$found" = 1 ] && [ "$left" = 0 ] && [ "$graded" = 0 ] && [ "$reported" = 0 ]
