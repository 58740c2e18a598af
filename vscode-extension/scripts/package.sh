#!/usr/bin/env bash
# Packages the extension with its server: package.sh [PLATFORM]. `make vsix` runs it; the file lands in dist.
set -euo pipefail
cd "$(dirname "$0")/.."

platform="${1:-$("$BIN/python" -I server/start.py --platform)}"
"$BIN/python" scripts/bundle_server.py "$platform"
mkdir -p schema ../dist
cp ../docs/eval-file.schema.json schema/
cp ../LICENSE LICENSE
npm run --silent check
npm run --silent bundle
target=(--target "$platform")
[ "$platform" = universal ] && target=()
name="rubric-lsp-$platform-$(node -p 'require("./package.json").version').vsix"
npx --no-install vsce package --no-dependencies --allow-missing-repository "${target[@]}" --out "../dist/$name" | grep -v '^ *[├│└]' || true
test -s "../dist/$name"
