#!/usr/bin/env bash
# An episode of a podcast: two voices that take turns, music 12 dB under them that fades in and out, and an MP3 at -16 LUFS
# with chapters. The voices are read by flite here; recordings come in the same way.
set -euo pipefail
music=/usr/share/sonic-pi/samples/guit_em9.flac
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
command -v flite >/dev/null || { echo "This needs flite to speak (apt install flite)." >&2; exit 69; }
[ -f "$music" ] || { echo "This needs '$music' (apt install sonic-pi-samples)." >&2; exit 69; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new Episode
cd Episode.daw
daw add-track Anna --channels 2 --pan -0.2
daw add-track Ben --channels 2 --pan 0.2
daw add-track Music

# say TRACK VOICE CHAPTER TEXT: half a second behind what was said before; the first words leave the music 3 s alone.
at=3s
say() {
  flite -voice "$2" -t "$4" -o "../$3.wav"
  daw add-region "$1" --file "../$3.wav" --at "$at" --fade-in 20ms --fade-out 50ms
  daw add-marker "$3" --at "$at"
  at="@$1/$3.end+500ms"
}
say Anna slt Welcome "Hello, and welcome to the first episode. Today we talk about sound without windows."
say Ben rms Question "Good to be here. How does one mix a show like this one, if there is nothing to click on?"
say Anna slt Answer "One writes down what is wanted. The levels, the fades and the chapters are lines of a script."
say Ben rms Goodbye "And tomorrow the same script makes the next episode. Thank you for listening."

# The music goes on for 3 s behind the last word, in pieces of 8 s, and fades at both ends.
daw add-region Music --file "$music" --name Bed --length 8s --fade-in 0s --fade-out 0s
daw loop-region Music/Bed --until "@Ben/Goodbye.end+3s"
daw set-region Music/Bed --fade-in 2s
daw set-region "$(daw list-regions --track Music --quiet | tail -n 1)" --fade-out 3s

# loudness TRACK…: in LUFS, as the bounce says it.
loudness() {
  daw bounce -o ../measured.wav --overwrite --loudness --allow quiet "$@" | sed -n 's/^loudness \(-[0-9.]*\) LUFS.*/\1/p'
}
voices=$(loudness --track Anna --track Ben) bed=$(loudness --track Music)
daw set-track Music --volume "$(echo "$voices $bed" | awk '{ printf "%.1f", $1 - 12 - $2 }')"

daw show
daw bounce -o ../episode.mp3 --normalize -16LUFS --limit --title "Sound without windows" --artist "Anna and Ben" \
  --album "The show" --track-number 1 --chapters --manifest
daw verify ../episode.mp3
