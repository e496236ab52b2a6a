#!/usr/bin/env bash
# Notes come from CSV, so whatever can print lines can compose: here a shell loop spreads hits evenly over sixteen steps
# (the Euclidean rhythms of Toussaint), a different number for each drum of the General MIDI kit on channel 10.
set -euo pipefail
for program in daw python3; do
  command -v "$program" >/dev/null || { echo "This needs '$program' on PATH." >&2; exit 69; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

daw new Euclid --tempo 104
cd Euclid.daw
daw add-track Kit --type midi
daw add-region Kit --name Pattern --at 1.1.0 --length 4.0.0

# drum PITCH HITS VELOCITY: step n of 16 sounds where n × HITS, taken modulo 16, is less than HITS.
drum() {
  local step
  for step in {0..15}; do
    [ $((step * $2 % 16)) -ge "$2" ] || echo "$1,$((step * 3840)),1920,$3,10"
  done
}
{
  echo pitch,startTicks,durationTicks,velocity,channel
  drum 36 5 104
  drum 38 3 84
  drum 42 11 64
  drum 56 7 48
} >pattern.csv
daw add-notes Kit/Pattern pattern.csv

# Shortened to its one bar, the region is copied end to end.
daw set-region Kit/Pattern --length 1.0.0
daw copy-region Kit/Pattern --at 2.1.0 --count 3

[ "$(daw list-regions --track Kit --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')" -eq 4 ]
daw list-notes --track Kit --to 2b
