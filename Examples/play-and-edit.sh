#!/usr/bin/env bash
# A song plays, and another shell edits it: what it adds is heard at once. The server is one of our own without a sound
# card, and jack_rec, which comes with jackd2, records what the player sends.
set -euo pipefail
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
for program in jackd jack_rec; do
  command -v "$program" >/dev/null || { echo "Skipped: $program is not installed (apt install jackd2)."; exit 0; }
done
if ! command -v sndfile-info >/dev/null; then
  echo "Skipped: sndfile-info is not installed (apt install sndfile-programs)."
  exit 0
fi
# shellcheck source=Examples/support/server
source "$(dirname "${BASH_SOURCE[0]}")/support/server" daw-walk
# loudest FILE: the greatest sample of a recording, full scale 1, by sndfile-info.
loudest() { sndfile-info "$1" | sed -n 's/^Signal Max *: *\([0-9.]*\).*/\1/p'; }

start_server -d dummy -r 48000 -p 256

daw new Song --tempo 120
cd Song.daw
daw add-track Drums
daw play --loop 1.1.0..2.1.0 --no-connect >../player.log &
jobs_of_ours+=($!)
wait_for daw transport status
jack_lsp

# An empty song is silent.
jack_rec -f ../before.wav -d 1 daw:out_1 daw:out_2 >/dev/null

# A second shell knows nothing of the player: it edits the project.
bash -c "daw add-region Drums --file '$media/beat.flac' --at 1.1.0"
wait_for grep -q 'is heard' ../player.log
jack_rec -f ../after.wav -d 2 daw:out_1 daw:out_2 >/dev/null

daw transport stop
daw transport quit
wait "${jobs_of_ours[-1]}"
cat ../player.log
echo "Loudest sample before: $(loudest ../before.wav), after: $(loudest ../after.wav)"
[ "$(loudest ../before.wav)" = 0 ]
[ "$(loudest ../after.wav)" != 0 ]
