#!/usr/bin/env bash
# A MIDI file made another piece: other instruments, a part left out, another key and tempo; then sound, and a MIDI file.
set -euo pipefail
song=/usr/share/games/openttd/baseset/openmsx/keep_on_rolling.mid
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
[ -n "$(daw list-soundfonts --quiet)" ] || { echo "This needs a SoundFont (apt install timgm6mb-soundfont)." >&2; exit 69; }
[ -f "$song" ] || { echo "This needs '$song' (apt install openttd-openmsx)." >&2; exit 69; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new Remix
cd Remix.daw
daw import "$song"
daw list-tracks
# As it came, for comparison: eight bars, before anything is changed.
daw bounce -o ../before.wav --from 9.1.0 --to 17.1.0

# Woodwinds for the brass; 'daw list-presets' has the numbers.
daw set-track Trumpet --program 73 --name Flute --pan -0.3
daw set-track Trombone --program 70 --name Bassoon --pan 0.3
daw set-track "Bass Guitar" --program 32 --volume +2
daw set-track "Distortion Guitar" --mute
daw set-track "Piano RH RH" --reverb --reverb-level 0.5

# A tone lower; but not the drums, on channel 10, whose pitches are instruments.
daw transpose --by -2 --channel 1..9
# The flute an octave higher, and the piano a little less like a machine.
daw transpose --by 12 --track Flute
daw quantize --track "Piano LH" --grid 1/16 --swing 58 --strength 80
daw set-project --tempo 96

daw show
daw history
daw bounce -o ../after.wav --from 9.1.0 --to 17.1.0
daw bounce -o ../remix.ogg --from 9.1.0 --to 25.1.0 --normalize -16LUFS --title "Keep on rolling, slowly"
daw export -o ../remix.mid

# The muted part is in the file too: it says what is played, not what is heard.
daw new ../Again
daw -p ../Again import ../remix.mid
[ "$(daw -p ../Again list-notes --quiet | wc -l)" = "$(daw list-notes --quiet | wc -l)" ]
if cmp -s ../before.wav ../after.wav; then exit 1; fi
