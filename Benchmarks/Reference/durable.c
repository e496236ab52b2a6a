// durable: makes a second of 64 tracks durable, again and again: appends 144,000 bytes to each of 64 files, and flushes them by
// one `syncfs`. What `daw record` does each second is measured against it.
//
//   durable FOLDER SECONDS
//
// Prints a line of JSON: milliseconds of the median second and of the slowest.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TRACKS = 64, BYTES = 3 * 48000, MOST_SECONDS = 1000 };

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }

int main(int argc, char **argv) {
  static char sound[BYTES];
  static double times[MOST_SECONDS];
  int files[TRACKS], seconds = argc == 3 ? atoi(argv[2]) : 0;
  if (seconds < 1 || seconds > MOST_SECONDS) {
    fprintf(stderr, "usage: durable FOLDER SECONDS\n");
    return 64;
  }
  for (unsigned i = 0, state = 1; i < sizeof sound; i++) sound[i] = (char)((state = state * 1664525u + 1013904223u) >> 24);
  for (int k = 0; k < TRACKS; k++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%d.raw", argv[1], k);
    if ((files[k] = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600)) < 0) return 73;
  }
  for (int second = 0; second < seconds; second++) {
    double begin = milliseconds();
    for (int k = 0; k < TRACKS; k++)
      if (write(files[k], sound, sizeof sound) != (ssize_t)sizeof sound) return 74;
    if (syncfs(files[0]) != 0) return 74;
    times[second] = milliseconds() - begin;
  }
  qsort(times, seconds, sizeof *times, by_size);
  printf("{\"median\": %.3f, \"slowest\": %.3f}\n", times[seconds / 2], times[seconds - 1]);
  return 0;
}
