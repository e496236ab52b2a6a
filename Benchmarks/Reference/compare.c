// compare: whether two WAV files hold the same samples, whatever else is in them.
//
//   compare A.wav B.wav [TOLERANCE]
//
// Prints the first sample that differs and exits 1; exits 0 where their `data` chunks are equal, byte for byte. With a
// tolerance the samples are 32-bit floats, and may differ by so much.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_at_data(const char *path, uint32_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t head[12];
  if (!file || fread(head, 1, sizeof head, file) != sizeof head || memcmp(head + 8, "WAVE", 4) != 0) {
    fprintf(stderr, "%s: not a WAV file\n", path);
    exit(66);
  }
  uint8_t chunk[8];
  while (fread(chunk, 1, sizeof chunk, file) == sizeof chunk) {
    memcpy(size, chunk + 4, sizeof *size);
    if (memcmp(chunk, "data", 4) == 0) return file;
    fseek(file, (long)*size + (*size & 1), SEEK_CUR);
  }
  fprintf(stderr, "%s: no samples\n", path);
  exit(66);
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: compare A.wav B.wav [TOLERANCE]\n");
    return 64;
  }
  float tolerance = argc == 4 ? strtof(argv[3], NULL) : 0;
  uint32_t sizes[2];
  FILE *a = open_at_data(argv[1], &sizes[0]), *b = open_at_data(argv[2], &sizes[1]);
  if (sizes[0] != sizes[1]) {
    printf("%u bytes of samples against %u\n", sizes[0], sizes[1]);
    return 1;
  }
  static uint8_t left[1 << 16], right[1 << 16];
  for (uint32_t done = 0; done < sizes[0];) {
    size_t want = sizes[0] - done < sizeof left ? sizes[0] - done : sizeof left;
    if (fread(left, 1, want, a) != want || fread(right, 1, want, b) != want) {
      printf("cut short\n");
      return 1;
    }
    if (memcmp(left, right, want) != 0)
      for (size_t i = 0; i + 4 <= want; i += 4) {
        float a_sample, b_sample;
        memcpy(&a_sample, left + i, 4);
        memcpy(&b_sample, right + i, 4);
        if (memcmp(left + i, right + i, 4) != 0 && !(fabsf(a_sample - b_sample) <= tolerance && tolerance > 0)) {
          printf("sample %zu differs\n", (done + i) / 4);
          return 1;
        }
      }
    done += want;
  }
  return 0;
}
