// mixer: the bounce of a mix with effects and automation that one would otherwise write: plain C over libsndfile, one
// thread; mixer.h says of what. `daw` is measured against it, and its output is compared within rounding.
//
//   mixer OUT.wav FRAMES FILE...           64 mono files; FRAMES is a multiple of 1,600
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

#include "mixer.h"

enum { BLOCK = 1024 };

int main(int argc, char **argv) {
  static SNDFILE *files[STRIPS];
  static float samples[STRIPS][MOST_FRAMES], left[MOST_FRAMES], right[MOST_FRAMES], both[2 * MOST_FRAMES];
  if (argc != 3 + STRIPS) {
    fprintf(stderr, "usage: mixer OUT.wav FRAMES FILE...\n");
    return 64;
  }
  for (int k = 0; k < STRIPS; k++) {
    SF_INFO info = {0};
    files[k] = sf_open(argv[3 + k], SFM_READ, &info);
    if (!files[k] || info.channels != 1) {
      fprintf(stderr, "%s: cannot be used\n", argv[3 + k]);
      return 66;
    }
  }
  SF_INFO info = {.samplerate = RATE, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
  SNDFILE *out = sf_open(argv[1], SFM_WRITE, &info);
  if (!out) {
    fprintf(stderr, "%s: %s\n", argv[1], sf_strerror(NULL));
    return 73;
  }
  sf_command(out, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
  make_mixer();
  long length = atol(argv[2]), written = 0;
  for (long frame = 0; written < length; frame += BLOCK) {
    for (int k = 0; k < STRIPS; k++) {
      long count = length - frame < BLOCK ? length - frame : BLOCK;
      long read = count > 0 ? sf_readf_float(files[k], samples[k], count) : 0;
      memset(samples[k] + read, 0, (BLOCK - read) * sizeof(float));
    }
    mix_block(samples, frame, BLOCK, left, right);
    long first = frame == 0 ? LIMITER_LATENCY : 0, count = BLOCK - first;
    if (count > length - written) count = length - written;
    for (long i = 0; i < count; i++) {
      both[2 * i] = left[first + i];
      both[2 * i + 1] = right[first + i];
    }
    if (sf_writef_float(out, both, count) != count) {
      fprintf(stderr, "%s: %s\n", argv[1], sf_strerror(out));
      return 74;
    }
    written += count;
  }
  return sf_close(out) == 0 ? 0 : 74;
}
