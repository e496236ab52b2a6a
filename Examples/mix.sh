#!/usr/bin/env bash
# A mix: equalizers, a compressor, a reverb on a bus, music that ducks under a voice, levels that move, a limiter on the
# master. It is bounced twice to the same bytes, changed, and changed back.
set -euo pipefail
samples=/usr/share/sonic-pi/samples
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
command -v flite >/dev/null || { echo "This needs flite to speak (apt install flite)." >&2; exit 69; }
[ -d "$samples" ] || { echo "This needs '$samples' (apt install sonic-pi-samples)." >&2; exit 69; }
media=$(cd "$(dirname "${BASH_SOURCE[0]}")/../Projects/Media" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
flite -voice slt -t "This is a mix that was made with a script, and nothing else." -o voice.wav

daw new Mix --tempo 120
cd Mix.daw
daw batch --quiet - >/dev/null <<END
add-track Beat --volume -4
add-region Beat --file $media/beat.flac --at 0s --name Bar
copy-region Beat/Bar --at 2.1.0 --count 7
add-track Guitar --volume -6 --pan -0.3
add-region Guitar --file $samples/guit_em9.flac --at 0s
add-track Voice --channels 2
add-region Voice --file ../voice.wav --at 3s
add-track Hall --type bus
add-effect Hall reverb --preset hall mix=1
add-send Voice Hall --level -12
add-send Guitar Hall --level -9

# Less mud, more air; the voice is evened out.
add-effect Guitar eq band2.type=highPass band2.frequency=120 band7.type=highShelf band7.gain=3
add-effect Voice eq band1.type=highPass band1.frequency=100 band6.gain=2
add-effect Voice compressor threshold=-24 ratio=3 makeUp=4

# The beat goes down while the voice speaks.
add-effect Beat compressor threshold=-35 ratio=6 release=300 --key Voice

# The guitar fades in and moves to the right; the last bar fades out.
add-point Guitar volume -30 --at 1.1.0 --shape exponential
add-point Guitar volume -6 --at 2.1.0
add-point Guitar pan -0.6 --at 1.1.0 --shape linear
add-point Guitar pan 0.6 --at 5.1.0
add-point Master volume 0 --at 8.1.0 --shape sCurve
add-point Master volume -inf --at 9.1.0
add-effect Master limiter ceiling=-1
END
daw list-effects
daw list-lanes

digest() { daw bounce --digest --quiet; }
first=$(digest)
[ "$(digest)" = "$first" ]
daw set-effect Beat/compressor --bypass
[ "$(digest)" != "$first" ]
daw undo
[ "$(digest)" = "$first" ]
daw bounce -o ../mix.flac
