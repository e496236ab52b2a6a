#!/usr/bin/env bash
# Makes speech, turns it into text, finds a word, plays from there, and writes subtitles; at last the text is old enough
# for the project's retention to clear it away. The server is one of our own without a sound card, and jack_rec, which
# comes with jackd2, records what the player sends.
set -euo pipefail
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
needed=(
  flite:flite pocketsphinx_continuous:pocketsphinx jackd:jackd2 jack_rec:jackd2 sndfile-info:sndfile-programs
  sqlite3:sqlite3
)
for program in "${needed[@]}"; do
  if ! command -v "${program%%:*}" >/dev/null; then
    echo "Skipped: ${program%%:*} is not installed (apt install ${program##*:})."
    exit 0
  fi
done
# shellcheck source=Examples/support/server
source "$(dirname "${BASH_SOURCE[0]}")/support/server" daw-words

flite -voice rms -t "We will meet again in the morning. He opened the window and looked into the garden." -o speech.wav

daw new Talk
cd Talk.daw
daw import ../speech.wav
daw transcribe speech --wait
daw list-transcripts

# The first word of a result is its place.
daw search window
place=$(daw search window --kind transcript | head -n 1 | cut -d ' ' -f 1)

start_server -d dummy -r 48000 -p 256
daw play --loop "$place..@end" --from "$place" --no-connect >../player.log &
jobs_of_ours+=($!)
wait_for daw transport status
jack_rec -f ../heard.wav -d 2 daw:out_1 daw:out_2 >/dev/null
daw transport quit
wait "${jobs_of_ours[-1]}"
loudest=$(sndfile-info ../heard.wav | sed -n 's/^Signal Max *: *\([0-9.]*\).*/\1/p')
echo "Heard from $place on, the loudest sample: $loudest"
[ "$loudest" != 0 ]

daw export-transcript speech -o ../speech.srt
cat ../speech.srt
grep -q window ../speech.srt
daw add-markers --from-transcript --match window
daw list-markers

# A hundred days go by: the transcript gets a date of long ago.
daw set-retention --transcripts 90d
daw retain --dry-run
sqlite3 project.sqlite 'UPDATE transcript SET createdAt = createdAt - 100 * 86400000'
daw retain
daw list-transcripts
[ -z "$(daw search window --kind transcript -q)" ]
daw check
