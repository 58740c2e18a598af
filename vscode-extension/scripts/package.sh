#!/usr/bin/env bash
# Packages the extension with its server: package.sh [PLATFORM]. `make vsix` runs it; the file lands in dist.
set -euo pipefail
cd "$(dirname "$0")/.."

platform="${1:-$("$BIN/python" -I server/start.py --platform)}"
name="rubric-lsp-$platform-$(node -p 'require("./package.json").version').vsix"
"$BIN/python" scripts/bundle_server.py "$platform"
mkdir -p schema ../dist
cp ../docs/eval-file.schema.json schema/
cp ../LICENSE LICENSE
npm run --silent check
npm run --silent bundle
target=(--target "$platform")
[ "$platform" = universal ] && target=()
# The pictures of the README come with the package, so their addresses stay as they are.
options=(--no-dependencies --allow-missing-repository --no-rewrite-relative-links)
rm -f "../dist/$name"
log="$(npx --no-install vsce package "${options[@]}" "${target[@]}" --out "../dist/$name" 2>&1)" || { echo "$log"; exit 1; }
echo "dist/$name: $(du -h "../dist/$name" | cut -f1)"
