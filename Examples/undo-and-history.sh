#!/usr/bin/env bash
# Every edit can be taken back, by another process and on another day: the journal is in the project's file.
set -euo pipefail
for program in daw python3; do
  command -v "$program" >/dev/null || { echo "This needs '$program' on PATH." >&2; exit 69; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# volume: the level of the track Bass, as the JSON has it.
volume() {
  daw show --json | python3 -c '
import json, sys
print(next(track["volume"] for track in json.load(sys.stdin)["tracks"] if track["name"] == "Bass"))'
}

daw new Song
cd Song.daw
daw add-track Bass --volume -6
daw set-track Bass --volume -12
before=$(volume)

daw undo
[ "$(volume)" != "$before" ]
daw redo
[ "$(volume)" = "$before" ]

# A removed track comes back with all that was on it.
daw add-track Keys --type midi
daw add-region Keys --name Verse --length 2.0.0
daw add-note Keys/Verse C4 --at 0b --length 1b
daw show --json --notes >whole.json
daw remove-track Keys
daw undo
daw list-notes --track Keys

# An undo is an edit of its own, so the history tells that too, and revisions only grow.
daw history -n 5
revision=$(daw revision)

# What was changed since, and back to it, in one go.
daw set-track Bass --volume -3
daw set-project --tempo 140
daw show-edit
daw diff "$revision" | grep -q '^Bass: volume -12 → -3 dB$'
daw undo --to "$revision"
[ "$(volume)" = "$before" ]

revision=$(daw revision)
daw set-track Bass --pan 0.1 --if-revision "$revision"
if daw set-track Bass --pan 0.2 --if-revision "$revision"; then
  echo "An edit on top of an older revision should have been refused." >&2
  exit 1
else
  [ $? -eq 75 ]
fi
