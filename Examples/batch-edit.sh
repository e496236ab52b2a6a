#!/usr/bin/env bash
# Many edits as one: in a batch all lines are done or none, it is quick, and one undo takes it back.
set -euo pipefail
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new Song
cd Song.daw
daw batch - <<EDITS
# Names with spaces are quoted as in a shell, and what a line makes can be given a name for later lines.
add-track "Room Kick" --volume -3
add-region "Room Kick" --file "$media/kick.flac" --at 0b --as kick
copy-region %kick --at 1b --count 1
add-track Keys --type midi --as keys
add-region %keys --name Verse --length 2.0.0 --as verse
add-note %verse C4 --at 0b --length 2b
add-note %verse G4 --at 2b --length 2b
EDITS
daw show

# The second line is wrong: the first is not done either, and the message names the line.
before=$(daw revision)
if daw batch - 2>message <<'EDITS'; then
set-track Keys --volume -6
set-track Kezs --volume -6
EDITS
  echo "A batch with a mistake should have been refused." >&2
  exit 1
fi
grep -q 2 message
[ "$(daw revision)" = "$before" ]

# One step back takes all of the first batch.
daw undo
[ -z "$(daw list-regions --quiet)" ]
