#!/usr/bin/env bash
# Unpacks Neovim in three versions, Helix and Emacs into .hosts, without touching the system and without being root.
# Usage: scripts/hosts-editors.sh [NAME...]      without a name, all of the table below; what is there is left alone.
#
# The packages come from where this Debian gets its own, from older and newer suites. Suites move on, so the table asks
# for the least version, and the version that was found is printed. Programs of another suite need its C library, so
# each is started by the loader of its own folder.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD

# name, suite, least version of the first package, packages
table="
nvim-0.7   bookworm  0.7   neovim
nvim-0.10  trixie    0.10  neovim
nvim-0.12  sid       0.12  neovim
helix      sid       25.07 hx
emacs      bookworm  28    emacs-nox elpa-eglot elpa-yaml-mode
"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

fail() { echo "$*" >&2; exit 1; }

# Where the machine gets Debian itself from.
own_archive() {
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-none}")
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
    awk -v codename="$codename" '($1 == codename || $1 == "stable") && $2 == "main" {print $3; exit}'
}

# Call an apt program that knows nothing but one suite, and of no package that is installed.
apt_of() {
  local suite=$1 program=$2
  shift 2
  local state=$here/.hosts/apt-$suite
  "$program" -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$state/sources" -o Dir::State="$state" \
    -o Dir::State::status="$state/status" -o Dir::Cache="$state" -o Dir::Cache::archives="$state/archives" \
    -o APT::Install-Recommends=false -o APT::Sandbox::User= "$@"
}

know_suite() {
  local suite=$1 state=.hosts/apt-$1
  [ -e "$state/known" ] && return
  mkdir -p "$state/sources" "$state/lists/partial" "$state/archives/partial"
  : >"$state/status"
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$archive" "$suite" "$keyring" \
    >"$state/sources/suite.sources"
  apt_of "$suite" apt-get -qq update
  touch "$state/known"
}

install_host() {
  local name=$1 suite=$2 least=$3 host=.hosts/$1
  shift 3
  local stamp
  stamp="$host/installed-$(sha256sum "$here/scripts/hosts-editors.sh" | cut -c1-16)"
  if [ -e "$stamp" ]; then
    echo "$name: $(cat "$host/version"), already there"
    return
  fi
  know_suite "$suite"
  local version
  version=$(apt_of "$suite" apt-cache show --no-all-versions "$1" | sed -n 's/^Version: //p')
  dpkg --compare-versions "${version#*:}" ge "$least" || fail "$name: $suite has $1 $version, and $least or newer is needed."
  rm -rf "$host"
  mkdir -p "$host/root" "$host/bin"
  rm -f ".hosts/apt-$suite/archives/"*.deb
  apt_of "$suite" apt-get -qq --yes --download-only install "$@" >/dev/null
  local package
  for package in ".hosts/apt-$suite/archives/"*.deb; do
    # Manuals are left out, they are half of the files.
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$host/root" --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*'
  done
  rm -f ".hosts/apt-$suite/archives/"*.deb
  "launcher_of_${name%%-*}" "$host"
  echo "$version" >"$host/version"
  touch "$stamp"
  echo "$name: $version"
}

# Write a script that starts a program of a prefix; further lines for it come on standard input.
launcher() {
  local host=$1 called=$2 program=$3 loader libraries
  loader=$(find "$host/root" -name 'ld-linux*.so.*' | sort | head -n 1)
  libraries=$(find "$here/$host/root" -maxdepth 3 -path '*/lib/*-linux-gnu*' -type d | paste -sd:)
  {
    printf '#!/bin/sh\nroot="%s"\n' "$here/$host/root"
    cat
    printf 'exec "%s" --library-path "%s" "$root/%s" %s "$@"\n' "$here/$loader" "$libraries" "$program" "${4:-}"
  } >"$host/bin/$called"
  chmod +x "$host/bin/$called"
}

launcher_of_nvim() {
  # The parsers for syntax trees lie outside of the runtime folder.
  launcher "$1" nvim usr/bin/nvim '--cmd "set runtimepath+=$root/usr/lib/nvim"' <<'LINES'
export VIMRUNTIME="$root/usr/share/nvim/runtime"
LINES
}

launcher_of_helix() {
  launcher "$1" hx usr/lib/hx/hx <<'LINES'
export HELIX_RUNTIME="$root/usr/lib/hx/runtime"
LINES
}

launcher_of_emacs() {
  local dump
  dump=$(cd "$1/root" && find usr/libexec -name '*.pdmp' | head -n 1)
  launcher "$1" emacs usr/bin/emacs-nox "--dump-file=\"\$root/$dump\"" <<'LINES'
share=$(echo "$root"/usr/share/emacs/[0-9]*)
EMACSLOADPATH=$(find "$share/lisp" "$root/usr/share/emacs/site-lisp/elpa-src" -type d | paste -sd:)
EMACSPATH=$(echo "$root"/usr/libexec/emacs/*/*)
export EMACSLOADPATH EMACSPATH EMACSDATA="$share/etc" EMACSDOC="$share/etc"
LINES
}

command -v apt-get >/dev/null && [ -e "$keyring" ] || fail "The editors for the tests come from Debian's packages, and this is not Debian."
archive=$(own_archive)
[ -n "$archive" ] || fail "This machine's package sources do not name a Debian archive."

mkdir -p .hosts
exec 9>.hosts/editors.lock
flock 9
trap 'rm -rf .hosts/apt-*' EXIT

wanted=" $* "
while read -r -u 3 name suite least packages; do
  [ -n "$name" ] || continue
  if [ $# -eq 0 ] || [[ $wanted == *" $name "* ]]; then
    # shellcheck disable=SC2086 # The packages are separate words.
    install_host "$name" "$suite" "$least" $packages
  fi
done 3<<<"$table"
