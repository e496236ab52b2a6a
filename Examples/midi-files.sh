#!/usr/bin/env bash
# A MIDI file from outside, worked on and given back: imported, tightened, slowed down, bounced, played to a port, exported.
# The JACK server that it plays with is one of our own, without a sound card.
set -euo pipefail
command -v daw >/dev/null || { echo "This needs 'daw' on PATH; Scripts/demo builds it." >&2; exit 69; }
[ -n "$(daw list-soundfonts --quiet)" ] || { echo "This needs a SoundFont (apt install timgm6mb-soundfont)." >&2; exit 69; }

# A song of Debian's package openttd-openmsx; any other MIDI file will do.
song=/usr/share/games/openttd/baseset/openmsx/tttheme2.mid
if [ ! -f "$song" ]; then
  echo "Skipped: there is no '$song' to import (apt install openttd-openmsx)." >&2
  exit 0
fi

scratch=$(mktemp -d)
jobs_of_ours=()
monitor=
finish() {
  # jack_midi_dump may wait for ever when it is asked to end; it has nothing to save.
  if [ -n "$monitor" ]; then kill -KILL "$monitor" 2>/dev/null || true; fi
  for job in "${jobs_of_ours[@]}"; do kill "$job" 2>/dev/null || true; done
  wait
  rm -rf "$scratch"
}
trap finish EXIT
cd "$scratch"
# Always the same name: JACK has eight places for servers, and one that ends badly leaves its own to those of its name.
export JACK_DEFAULT_SERVER=daw-midi-walk-$UID XDG_RUNTIME_DIR=$scratch

# wait_for COMMAND…: until it succeeds, a minute at most.
wait_for() {
  for _ in $(seq 600); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  echo "Waited in vain for: $*" >&2
  return 1
}

daw new Song
cd Song.daw
daw import "$song"
daw list-tracks
daw list-keys

# The bass on the grid, but not like a machine, and everything slower.
daw quantize --track "MIDI 01" --grid 1/16 --strength 80
daw set-project --tempo 90

# Eight bars as sound.
daw bounce -o ../verse.wav --from 5.1.0 --to 13.1.0

# The bass played to a port, where a monitor writes down what arrives: of the ALSA sequencer where the machine has one, else
# of JACK.
play_to_port() {
  if ! command -v jackd >/dev/null; then
    echo "Not played: jackd is not installed (apt install jackd2)."
    return
  fi
  jackd -n "$JACK_DEFAULT_SERVER" -r -d dummy -r 48000 -p 256 >../jackd.log 2>&1 &
  jobs_of_ours+=($!)
  wait_for jack_lsp
  local play=(daw play --no-connect --loop 5.1.0..7.1.0)
  if [ -e /dev/snd/seq ] && command -v aseqdump >/dev/null; then
    aseqdump >../heard.txt &
    monitor=$!
    "${play[@]}" --midi alsa --midi-connect "MIDI 01=aseqdump:0" >../player.log &
    jobs_of_ours+=($!)
  else
    "${play[@]}" --midi jack >../player.log &
    jobs_of_ours+=($!)
    wait_for has_port "daw:MIDI 01"
    jack_midi_dump monitor >../heard.txt &
    monitor=$!
    wait_for has_port monitor:input
    jack_connect "daw:MIDI 01" monitor:input
  fi
  wait_for three_notes ../heard.txt
  daw transport stop
  daw transport quit
  wait "${jobs_of_ours[-1]}"
  echo "Sent to the port, among others:"
  grep -i -m 3 "note on" ../heard.txt
}
has_port() { jack_lsp | grep -xF "$1"; }
three_notes() { [ "$(grep -c -i "note on" "$1")" -ge 3 ]; }
play_to_port

# And back: all of it for another program, the bass alone for a keyboard that knows only format 0.
daw export -o ../song.mid
daw export -o ../bass.mid --format 0 --track "MIDI 01"

# It comes back as it was.
daw new ../Again
daw -p ../Again import ../song.mid
notes=$(daw list-notes --quiet | wc -l)
[ "$(daw -p ../Again list-notes --quiet | wc -l)" = "$notes" ]
