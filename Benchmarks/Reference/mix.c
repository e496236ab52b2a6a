// mix: the bounce that one would otherwise write: plain C over libsndfile, one thread, no trick. `daw` is measured
// against it, and its output is compared sample by sample.
//
//   mix LIST OUT.wav float|24
//
// A line of LIST is one region: FILE START OFFSET FRAMES GAIN LEFT RIGHT, the file's name without spaces. START is the
// timeline frame it begins at, OFFSET the frame of the file; GAIN is the region's, LEFT and RIGHT its track's. Regions
// of one track stand on consecutive lines and do not overlap. Files are mono or stereo.
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

typedef struct {
  char path[1024];
  long start, offset, frames;
  float gain, left, right;
  SNDFILE *file;
  SF_INFO info;
} Region;

static Region *read_list(const char *path, int *count, long *length) {
  FILE *list = fopen(path, "r");
  if (!list) {
    perror(path);
    exit(66);
  }
  Region *regions = NULL;
  Region r = {0};
  *count = 0;
  *length = 0;
  while (fscanf(list, "%1023s %ld %ld %ld %f %f %f", r.path, &r.start, &r.offset, &r.frames, &r.gain, &r.left,
                &r.right) == 7) {
    regions = realloc(regions, (*count + 1) * sizeof r);
    if (!regions) exit(70);
    regions[(*count)++] = r;
    if (r.start + r.frames > *length) *length = r.start + r.frames;
  }
  fclose(list);
  return regions;
}

static void open_region(Region *r) {
  r->file = sf_open(r->path, SFM_READ, &r->info);
  if (!r->file || r->info.channels > 2 || sf_seek(r->file, r->offset, SEEK_SET) != r->offset) {
    fprintf(stderr, "%s: cannot be used\n", r->path);
    exit(66);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: mix LIST OUT.wav float|24\n");
    return 64;
  }
  int count;
  long length;
  Region *regions = read_list(argv[1], &count, &length);
  int is_float = strcmp(argv[3], "float") == 0;

  SF_INFO info = {.samplerate = 48000, .channels = 2};
  info.format = SF_FORMAT_WAV | (is_float ? SF_FORMAT_FLOAT : SF_FORMAT_PCM_24);
  SNDFILE *out = sf_open(argv[2], SFM_WRITE, &info);
  if (!out) {
    fprintf(stderr, "%s: %s\n", argv[2], sf_strerror(NULL));
    return 73;
  }
  sf_command(out, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);

  static float mix[2 * BLOCK], samples[2 * BLOCK];
  static int packed[2 * BLOCK];
  for (long frame = 0; frame < length; frame += BLOCK) {
    long n = length - frame < BLOCK ? length - frame : BLOCK;
    memset(mix, 0, sizeof mix);
    for (int k = 0; k < count; k++) {
      Region *r = &regions[k];
      long first = r->start > frame ? r->start : frame;
      long end = r->start + r->frames < frame + n ? r->start + r->frames : frame + n;
      if (first >= end) continue;
      if (!r->file) open_region(r);
      sf_readf_float(r->file, samples, end - first);
      float *to = mix + 2 * (first - frame);
      if (r->info.channels == 1) {
        for (long i = 0; i < end - first; i++) {
          float sample = samples[i] * r->gain;
          to[2 * i] += sample * r->left;
          to[2 * i + 1] += sample * r->right;
        }
      } else {
        for (long i = 0; i < end - first; i++) {
          to[2 * i] += samples[2 * i] * r->gain * r->left;
          to[2 * i + 1] += samples[2 * i + 1] * r->gain * r->right;
        }
      }
      if (end == r->start + r->frames) {
        sf_close(r->file);
        r->file = NULL;
      }
    }
    if (!is_float) {
      // libsndfile would scale by 2^23 - 1; full scale is 2^23, as it is on the way in.
      for (long i = 0; i < 2 * n; i++) {
        float scaled = mix[i] * 8388608.0f;
        long sample = lrintf(scaled < -8388608.0f ? -8388608.0f : scaled > 8388607.0f ? 8388607.0f : scaled);
        packed[i] = (int)((unsigned)sample << 8);
      }
    }
    if ((is_float ? sf_writef_float(out, mix, n) : sf_writef_int(out, packed, n)) != n) {
      fprintf(stderr, "%s: %s\n", argv[2], sf_strerror(out));
      return 74;
    }
  }
  free(regions);
  return sf_close(out) == 0 ? 0 : 74;
}
