// route: a bounce through buses and sends that one would otherwise write: plain C over libsndfile, one thread, no trick.
// `daw` is measured against it, and its output is compared sample by sample.
//
//   route LIST OUT.wav
//
// Lines of LIST, the gains of two sides each:
//
//   bus LEFT RIGHT                    to the master
//   track FILE FRAMES LEFT RIGHT BUS  a mono file from the start; the bus that it feeds, counted from 0
//   send TRACK BUS LEFT RIGHT         counted from 0 as well
//
// A bus adds its tracks in their order, then its sends in theirs; the master adds the buses.
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096, MOST = 1024 };

typedef struct {
  int from, to;
  float left, right;
} Way;

static Way outputs[MOST], sends[MOST], buses[MOST];
static SNDFILE *files[MOST];
static int track_count, send_count, bus_count;
static long length;
static float tracks[MOST][BLOCK], bus[2][BLOCK], mix[2 * BLOCK];

static void read_list(const char *path) {
  FILE *list = fopen(path, "r");
  char kind[16], file[1024];
  if (!list) {
    perror(path);
    exit(66);
  }
  while (fscanf(list, "%15s", kind) == 1) {
    Way way = {0};
    long frames;
    int read = 0;
    if (track_count == MOST || send_count == MOST || bus_count == MOST) exit(70);
    if (strcmp(kind, "bus") == 0) {
      read = fscanf(list, "%f %f", &way.left, &way.right) == 2;
      buses[bus_count++] = way;
    } else if (strcmp(kind, "send") == 0) {
      read = fscanf(list, "%d %d %f %f", &way.from, &way.to, &way.left, &way.right) == 4;
      sends[send_count++] = way;
    } else {
      SF_INFO info = {0};
      read = fscanf(list, "%1023s %ld %f %f %d", file, &frames, &way.left, &way.right, &way.to) == 5;
      files[track_count] = sf_open(file, SFM_READ, &info);
      if (!files[track_count] || info.channels != 1) {
        fprintf(stderr, "%s: cannot be used\n", file);
        exit(66);
      }
      way.from = track_count;
      outputs[track_count++] = way;
      if (frames > length) length = frames;
    }
    if (!read) {
      fprintf(stderr, "%s: a line that cannot be read\n", path);
      exit(65);
    }
  }
  fclose(list);
}

static void add(const Way *way, long n) {
  const float *track = tracks[way->from];
  for (long i = 0; i < n; i++) {
    bus[0][i] += track[i] * way->left;
    bus[1][i] += track[i] * way->right;
  }
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: route LIST OUT.wav\n");
    return 64;
  }
  read_list(argv[1]);
  SF_INFO info = {.samplerate = 48000, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
  SNDFILE *out = sf_open(argv[2], SFM_WRITE, &info);
  if (!out) {
    fprintf(stderr, "%s: %s\n", argv[2], sf_strerror(NULL));
    return 73;
  }
  sf_command(out, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
  for (long frame = 0; frame < length; frame += BLOCK) {
    long n = length - frame < BLOCK ? length - frame : BLOCK;
    for (int k = 0; k < track_count; k++) {
      sf_count_t read = sf_readf_float(files[k], tracks[k], n);
      memset(tracks[k] + read, 0, (n - read) * sizeof(float));
    }
    memset(mix, 0, sizeof mix);
    for (int b = 0; b < bus_count; b++) {
      memset(bus, 0, sizeof bus);
      for (int k = 0; k < track_count; k++)
        if (outputs[k].to == b) add(&outputs[k], n);
      for (int k = 0; k < send_count; k++)
        if (sends[k].to == b) add(&sends[k], n);
      for (long i = 0; i < n; i++) {
        mix[2 * i] += bus[0][i] * buses[b].left;
        mix[2 * i + 1] += bus[1][i] * buses[b].right;
      }
    }
    if (sf_writef_float(out, mix, n) != n) {
      fprintf(stderr, "%s: %s\n", argv[2], sf_strerror(out));
      return 74;
    }
  }
  return sf_close(out) == 0 ? 0 : 74;
}
