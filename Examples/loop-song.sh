#!/usr/bin/env bash
# A song of loops, arranged as a table: a row for each part, a column for each four bars, an x where the part plays.
set -euo pipefail
samples=/usr/share/sonic-pi/samples
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
[ -d "$samples" ] || { echo "This needs '$samples' (apt install sonic-pi-samples)." >&2; exit 69; }
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new Loops --tempo 120
cd Loops.daw

# The columns: track, file, how many bars it is for, volume, pan, where it plays. What is longer than its bars is cut. All is
# one edit: one 'daw undo' takes the arrangement away.
{
  for part in 1 2 3 4 5 6 7 8; do echo "add-marker 'Part $part' --at $((part * 4 - 3)).1.0"; done
  while read -r track file bars volume pan plays; do
    echo "add-track $track --volume $volume --pan $pan"
    length=
    if [ "$bars" = 2 ]; then length="--length 2.0.0 --fade-out 50ms"; fi
    for ((column = 0; column < ${#plays}; column++)); do
      [ "${plays:column:1}" = x ] || continue
      echo "add-region $track --file $file --name P$column --at $((column * 4 + 1)).1.0 --time-base musical $length"
      echo "copy-regions $track/P$column --by $bars.0.0 --count $((4 / bars - 1))"
    done
  done <<END
Beat $media/beat.flac 1 -3 0 .xxx.xxx
Bass $media/bass.flac 1 -4 0 ..xxxxx.
Guitar $samples/guit_em9.flac 2 -8 -0.3 x.x.x.xx
Choir $samples/ambi_choir.flac 1 -14 0.4 ...x..xx
END
} | daw batch --quiet >/dev/null

# Beat and bass go through a bus: one fader moves both, and one stem holds both.
daw add-track Rhythm --type bus --volume -1
daw set-track Beat --output Rhythm
daw set-track Bass --output Rhythm

# The last chord fades away.
last=$(daw list-regions --track Guitar --quiet | tail -n 1)
daw set-region "$last" --fade-out 4s --fade-out-shape sCurve
daw show
daw bounce -o ../loops.flac --normalize -1dBTP --title Loops --chapters
daw bounce -o ../chorus.wav --from 13.1.0 --to 17.1.0 --loop-tail
daw bounce -o ../stems --stems
ls ../stems
