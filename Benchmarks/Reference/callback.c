// callback: what one would otherwise write for a JACK client: 64 mono 24-bit tracks, all of them in memory, mixed to stereo
// in blocks of 256 frames, in plain C. The live engine is measured against it.
//
//   callback FOLDER OUTPUT.wav [routed|mixer]        with the files that LiveBenchmark has made there
//
// `routed`: each track feeds one of eight buses, and another by a send. `mixer`: what mixer.h does.
//
// Writes what was mixed, and prints the line of JSON that LiveBenchmark prints.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mixer.h"

enum { TRACKS = STRIPS, ROUTED_BUSES = 8, BLOCK = 256 };

static long thread_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

static int by_size(const void *a, const void *b) { return (*(long *)a > *(long *)b) - (*(long *)a < *(long *)b); }

static void mix(const unsigned char *track, float left_gain, float right_gain, float *left, float *right) {
  for (int i = 0; i < BLOCK; i++) {
    const unsigned char *b = track + 3 * i;
    unsigned bits = (unsigned)b[0] << 8 | (unsigned)b[1] << 16 | (unsigned)b[2] << 24;
    float sample = (float)((int)bits >> 8) * 0x1p-23f;
    left[i] += sample * left_gain;
    right[i] += sample * right_gain;
  }
}

static void unpack(const unsigned char *track, float *samples) {
  for (int i = 0; i < BLOCK; i++) {
    const unsigned char *b = track + 3 * i;
    unsigned bits = (unsigned)b[0] << 8 | (unsigned)b[1] << 16 | (unsigned)b[2] << 24;
    samples[i] = (float)((int)bits >> 8) * 0x1p-23f;
  }
}

static void add_both(const float *from_left, const float *from_right, float left_gain, float right_gain, float *left,
                     float *right) {
  for (int i = 0; i < BLOCK; i++) {
    left[i] += from_left[i] * left_gain;
    right[i] += from_right[i] * right_gain;
  }
}

// A bus adds its tracks, then its sends.
static void route(unsigned char **tracks, long first, float *left, float *right) {
  static float samples[TRACKS][BLOCK], bus[2][BLOCK];
  for (int k = 0; k < TRACKS; k++) unpack(tracks[k] + 3 * first, samples[k]);
  for (int b = 0; b < ROUTED_BUSES; b++) {
    for (int i = 0; i < BLOCK; i++) bus[0][i] = bus[1][i] = 0;
    for (int k = b; k < TRACKS; k += ROUTED_BUSES) add_both(samples[k], samples[k], 0.01f * k, 0.5f, bus[0], bus[1]);
    for (int k = (b + 5) % ROUTED_BUSES; k < TRACKS; k += ROUTED_BUSES)
      add_both(samples[k], samples[k], 0.25f, 0.005f * k, bus[0], bus[1]);
    add_both(bus[0], bus[1], 0.5f, 0.25f, left, right);
  }
}

static void mix_with_effects(unsigned char **tracks, long first, float *left, float *right) {
  static float samples[STRIPS][MOST_FRAMES];
  for (int k = 0; k < TRACKS; k++) {
    unpack(tracks[k] + 3 * first, samples[k]);
    for (int i = 0; i < BLOCK; i++) samples[k][i] *= 0.0630957344f;  // −24 dB
  }
  mix_block(samples, first, BLOCK, left, right);
}

static int write_wav(const char *path, const float *samples, uint32_t bytes) {
  FILE *file = fopen(path, "wb");
  const uint32_t riff = 36 + bytes, format[] = {16, 3 | 2 << 16, RATE, 8 * RATE, 8 | 32 << 16};
  if (!file) return 0;
  fwrite("RIFF", 1, 4, file);
  fwrite(&riff, 4, 1, file);
  fwrite("WAVEfmt ", 1, 8, file);
  fwrite(format, 1, sizeof format, file);
  fwrite("data", 1, 4, file);
  fwrite(&bytes, 4, 1, file);
  fwrite(samples, 1, bytes, file);
  return fclose(file) == 0;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: callback FOLDER OUTPUT.wav [routed|mixer]\n");
    return 64;
  }
  static unsigned char *tracks[TRACKS];
  long bytes = 0;
  for (int k = 0; k < TRACKS; k++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%d.raw", argv[1], k);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
      perror(path);
      return 66;
    }
    bytes = ftell(file);
    rewind(file);
    tracks[k] = malloc(bytes);
    if (!tracks[k] || fread(tracks[k], 1, bytes, file) != (size_t)bytes) return 74;
    fclose(file);
  }
  long blocks = bytes / 3 / BLOCK;
  long *times = malloc(blocks * sizeof *times);
  float *mixed = malloc(blocks * BLOCK * 2 * sizeof *mixed), peak = 0;
  if (!times || !mixed) return 74;
  static float left[BLOCK], right[BLOCK];
  int is_mixer = argc == 4 && strcmp(argv[3], "mixer") == 0;
  if (is_mixer) make_mixer();
  for (long block = 0; block < blocks; block++) {
    long begin = thread_nanoseconds();
    for (int i = 0; i < BLOCK; i++) left[i] = right[i] = 0;
    if (is_mixer) mix_with_effects(tracks, block * BLOCK, left, right);
    else if (argc == 4) route(tracks, block * BLOCK, left, right);
    for (int k = 0; k < TRACKS && argc == 3; k++) mix(tracks[k] + block * BLOCK * 3, 0.01f * k, 0.5f, left, right);
    times[block] = thread_nanoseconds() - begin;
    for (int i = 0; i < BLOCK; i++) {
      mixed[2 * (block * BLOCK + i)] = left[i];
      mixed[2 * (block * BLOCK + i) + 1] = right[i];
      peak = fmaxf(peak, fmaxf(fabsf(left[i]), fabsf(right[i])));
    }
  }
  qsort(times, blocks, sizeof *times, by_size);
  if (!write_wav(argv[2], mixed, (uint32_t)(blocks * BLOCK * 2 * sizeof *mixed))) {
    perror(argv[2]);
    return 73;
  }
  printf("{\"median\": %.3f, \"slowest\": %.3f, \"peak\": %.6f, \"late\": 0}\n", times[blocks / 2] / 1e3,
         times[blocks * 999 / 1000] / 1e3, peak);
}
