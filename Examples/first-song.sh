#!/usr/bin/env bash
# The shortest way to a song: a loop, a melody, a bounce.
set -euo pipefail
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
[ -n "$(daw list-soundfonts --quiet)" ] || { echo "This needs a SoundFont (apt install timgm6mb-soundfont)." >&2; exit 69; }
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new First --tempo 120
cd First.daw

daw add-track Beat --volume -3
daw add-region Beat --file "$media/beat.flac" --name Bar
daw copy-region Beat/Bar --at 2.1.0 --count 3

daw add-track Lead --type midi --program 11 --pan 0.2
daw add-region Lead --name Melody --at 1.1.0 --length 4.0.0
quarter=0
for pitch in C5 Eb5 G5 Bb5 C6 Bb5 G5 Eb5; do
  daw add-note Lead/Melody "$pitch" --at "${quarter}b" --length 1.5b --velocity 90 --quiet >/dev/null
  quarter=$((quarter + 2))
done

daw show
daw bounce -o first.wav
