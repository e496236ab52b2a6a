#!/usr/bin/env bash
# A MIDI file from outside, worked on and given back: imported, tightened, slowed down, bounced, exported.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# A song of Debian's package openttd-openmsx; any other MIDI file will do.
song=/usr/share/games/openttd/baseset/openmsx/tttheme2.mid
if [ ! -f "$song" ]; then
  echo "There is no '$song' to import. 'apt-get install openttd-openmsx' brings it." >&2
  exit 0
fi

daw new Song
cd Song.daw
daw import "$song"
daw list-tracks

# The bass on the grid, but not like a machine.
daw quantize --track "MIDI 01" --grid 1/16 --strength 80
daw set-project --tempo 90

# Eight bars as sound.
daw bounce -o ../verse.wav --from 5.1.0 --to 13.1.0

# And back: all of it for another program, the bass alone for a keyboard that knows only format 0.
daw export -o ../song.mid
daw export -o ../bass.mid --format 0 --track "MIDI 01"

# It comes back as it was.
daw new ../Again
daw -p ../Again import ../song.mid
notes=$(daw list-notes --quiet | wc -l)
[ "$(daw -p ../Again list-notes --quiet | wc -l)" = "$notes" ]

# Played to a port, where there is one, by any player of MIDI files.
if command -v aplaymidi >/dev/null && aplaymidi -l 2>/dev/null | grep -q "TiMidity\|FLUID"; then
  timeout 5 aplaymidi -p "$(aplaymidi -l | awk '/TiMidity|FLUID/ { print $1; exit }')" ../bass.mid || true
fi
