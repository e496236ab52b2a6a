#!/usr/bin/env bash
# Records what another program plays, is killed in the middle, and goes on: the next command finishes the recording, and
# the take has the samples that were played, to the bit. The server is one of our own without a sound card; the other
# program is a second daw, which follows JACK's transport as the recorder does.
set -euo pipefail
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
for program in jackd jack_lsp; do
  command -v "$program" >/dev/null || { echo "Skipped: $program is not installed (apt install jackd2)."; exit 0; }
done
# shellcheck source=Examples/support/server
source "$(dirname "${BASH_SOURCE[0]}")/support/server" daw-record

# Each cycle waits for its clients, so that a busy machine loses no frame.
start_server -S -t 500 -d dummy -r 48000 -p 256

daw new Band --tempo 120
daw -p Band add-track Drums --channels 2
daw -p Band add-region Drums --file "$media/beat.flac" --at 1.1.0
daw -p Band play --name band --transport jack --stopped --no-connect >band.log &
jobs_of_ours+=($!)
wait_for jack_lsp band:out_1

daw new Song --tempo 120
cd Song.daw
daw list-inputs
daw add-track Vox
daw set-track Vox --arm --input band:out_1 --input band:out_2
daw record --dry-run

# What another client sends in the same cycle was captured there: it did not listen to us.
daw record --transport jack --align captured --no-connect --bits 32f --segment 1s --title Drums >../record.log &
recorder=$!
wait_for grep -q Recording ../record.log
# The file after the next is made beforehand: with the fourth, two seconds are written.
wait_for compgen -G 'Audio/Recordings/*/Vox.0004.wav'
sleep 0.5
kill -9 "$recorder"
wait "$recorder" 2>/dev/null || true

daw recover-recordings
daw list-recordings
daw list-takes
daw list-gaps
daw set-take Vox --tag good --rating 4

daw bounce --output ../take.wav --bits 32f --from 0s --to 2s --tail 0s
daw -p ../Band bounce --output ../played.wav --bits 32f --from 0s --to 2s --tail 0s
if daw list-gaps | grep -q xrun; then
  echo "The machine was too busy: a part of the take is in a gap."
else
  cmp ../take.wav ../played.wav
  echo "The take has the samples that were played."
fi
daw check
