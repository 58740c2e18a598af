#!/usr/bin/env bash
# Opens examples in an editor of yours with everything set up: a broken file to fix, and one to grade with a recorded
# judgement. Usage: scripts/try.sh EDITOR [OPTION...], where EDITOR is the command that starts it.
#
# The examples are copied to build/try (or to FOLDER), and what you change there stays there. Of your own settings nothing is
# changed, except that Visual Studio Code gets the extension installed.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
bin=$(cd "${BIN:-.venv/bin}" && pwd)
editor=${1:-}
[ $# -gt 0 ] && shift

known="code, codium, cursor, nvim, hx, helix, emacs"
if [ -z "$editor" ]; then
  echo "Name your editor, for example: make try EDITOR=nvim (known are $known)" >&2
  exit 2
fi
command -v "$editor" >/dev/null || { echo "There is no command $editor here." >&2; exit 2; }

work=${FOLDER:-build/try}
mkdir -p "$work"
# `cp -n` fails on some systems where a file is there already.
for name in broken.eval.yaml scorecard.eval.yaml scorecard.answers.json judgements.json; do
  [ -e "$work/$name" ] || cp "examples/$name" "$work"
done
[ -e "$work/rubric.toml" ] || echo 'judge = "replay:judgements.json"  # a recording: no key, no network' >"$work/rubric.toml"
cd "$work"
export PATH=$bin:$PATH
files=(broken.eval.yaml scorecard.eval.yaml)

case $(basename "$editor") in
  code* | codium* | vscodium* | cursor* | windsurf*)
    if ! command -v npm >/dev/null; then
      echo "The extension is built with Node.js, and there is no command npm here: https://nodejs.org has it." >&2
      exit 2
    fi
    make -C "$here" --no-print-directory vsix
    "$editor" --install-extension "$(ls -t "$here"/dist/rubric-lsp-*.vsix | head -n 1)" --force
    exec "$editor" "$@" . "${files[@]}"
    ;;
  nvim*)
    exec "$editor" --cmd "lua vim.opt.runtimepath:prepend([[$here/editors/nvim]])" -c "lua require('rubric').setup()" "$@" "${files[@]}"
    ;;
  hx | helix)
    # Helix takes the folder `helix` in this one for its settings; yours do not count as long as it runs.
    XDG_CONFIG_HOME=$here/editors exec "$editor" "$@" "${files[@]}"
    ;;
  emacs*)
    exec "$editor" -L "$here/editors/emacs" -l rubric -f rubric-setup "$@" "${files[@]}"
    ;;
  *)
    echo "How to set up $editor is not known here (known are $known); docs/editors.md has the lines to paste." >&2
    exit 2
    ;;
esac
