#!/usr/bin/env bash
# A song under git: what `show --json --notes` prints is text with a stable order, so that a diff says what changed, and
# `new --from` makes the project again from it.
set -euo pipefail
for program in daw git; do
  command -v "$program" >/dev/null || { echo "This needs '$program' on PATH." >&2; exit 69; }
done
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new Song --tempo 100
daw -p Song add-track Beat
daw -p Song add-region Beat --file "$media/beat.flac" --name Bar
daw -p Song add-track Keys --type midi
daw -p Song add-region Keys --name Verse --length 2.0.0
daw -p Song add-note Keys/Verse C4 --at 0b --length 1b

git init --quiet history
export GIT_AUTHOR_NAME=Anna GIT_AUTHOR_EMAIL=anna@example.org GIT_COMMITTER_NAME=Anna GIT_COMMITTER_EMAIL=anna@example.org
keep() {
  daw -p Song show --json --notes >history/song.json
  git -C history add song.json
  git -C history commit --quiet --message "$1"
}
keep "A beat and a note"
daw -p Song set-track Keys --volume -6
keep "Make the keys softer"

git -C history diff HEAD~1 -- song.json
git -C history diff HEAD~1 -- song.json | grep -q '^+ *"volume" *: *-6'

# The older version as a project again, beside the newer one.
git -C history show HEAD~1:song.json >older.json
daw new Older --from older.json --media Song.daw
daw -p Older check
daw -p Older show
