#!/usr/bin/env bash
# What can go wrong with a project's folder, and what `daw check` says about it.
set -euo pipefail
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new Song
daw -p Song add-track Beat
daw -p Song add-region Beat --file "$media/beat.flac" --name Bar
daw -p Song check
daw -p Song backup

# A recording is gone. The check says which; a bounce refuses, and writes nothing.
mv Song.daw/Audio/beat.flac elsewhere.flac
if daw -p Song check; then
  echo "A missing recording should have been found." >&2
  exit 1
fi
if daw -p Song bounce -o mix.wav; then
  echo "A bounce without its recording should have been refused." >&2
  exit 1
else
  [ $? -eq 66 ]
fi
[ ! -e mix.wav ]
mv elsewhere.flac Song.daw/Audio/beat.flac
daw -p Song check

# The edits of a process that is killed are there or not there, never half.
for place in {1..20}; do
  daw -p Song add-track "Track $place" >/dev/null 2>&1 &
  [ $((place % 5)) -ne 0 ] || kill -KILL $! 2>/dev/null || true
done
wait || true
daw -p Song check

# Removing a region keeps its recording, since an undo may need it. A copy of a whole project is a project.
daw -p Song remove-region Beat/Bar
daw -p Song undo
daw copy Song Copy
daw -p Copy check
