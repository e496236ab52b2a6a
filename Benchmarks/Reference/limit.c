// limit: the same mix as fast as this machine can, for measuring how far `daw` is from that. It knows only what the
// benchmark needs: mono 24-bit WAV with a header of 44 bytes into stereo 32-bit float, and a processor with AVX-512 or
// AVX2, found when it is compiled.
//
//   limit LIST OUT.wav THREADS
//
// LIST as `mix` has it. Threads take slices of the timeline in turn; each reads what it needs with `pread`, unpacks and
// mixes it in one pass, and writes the slice with `pwrite`. Pieces are for the second-level cache: for the first they
// would be so small that their calls took a quarter longer.
#include <fcntl.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLICE = 16384, HEADER = 44 };

typedef struct {
  long start, offset, frames;
  float gain, left, right;
  int file;
} Region;

static Region *regions;
static int region_count, out;
static long length;
static atomic_long next_slice;

static int open_once(const char *path) {
  static char names[1024][1024];
  static int numbers[1024], count;
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], path) == 0) return numbers[i];
  int number = open(path, O_RDONLY);
  if (number < 0 || count == 1024) {
    perror(path);
    exit(66);
  }
  strcpy(names[count], path);
  return numbers[count++] = number;
}

static int by_start(const void *a, const void *b) {
  const Region *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

static void read_list(const char *path) {
  FILE *list = fopen(path, "r");
  if (!list) {
    perror(path);
    exit(66);
  }
  Region r;
  char name[1024];
  int is_sorted = 1;
  while (fscanf(list, "%1023s %ld %ld %ld %f %f %f", name, &r.start, &r.offset, &r.frames, &r.gain, &r.left,
                &r.right) == 7) {
    r.file = open_once(name);
    regions = realloc(regions, (region_count + 1) * sizeof r);
    if (!regions) exit(70);
    if (region_count && regions[region_count - 1].start > r.start) is_sorted = 0;
    regions[region_count++] = r;
    if (r.start + r.frames > length) length = r.start + r.frames;
  }
  fclose(list);
  // In order of start, so that a slice finds its own; only regions that do not overlap are out of order in our lists, so
  // that no sum changes.
  if (!is_sorted) qsort(regions, region_count, sizeof *regions, by_start);
}

static void add(const uint8_t *bytes, long count, float gain, float left, float right, float *to) {
  long i = 0;
  gain *= 0x1p-23f;
#if defined(__AVX512VBMI__) && defined(__AVX512BW__)
  uint8_t spread_bytes[64];
  for (int k = 0; k < 16; k++) {
    spread_bytes[4 * k] = 63;
    for (int b = 0; b < 3; b++) spread_bytes[4 * k + 1 + b] = (uint8_t)(3 * k + b);
  }
  const __m512i spread = _mm512_loadu_si512(spread_bytes);
  const __m512i low = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
  const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
  const __m512 gains = _mm512_set1_ps(gain);
  const __m512 sides = _mm512_castpd_ps(_mm512_set1_pd(
    ((union { float f[2]; double d; }){.f = {left, right}}).d));
  for (; i + 16 <= count; i += 16) {
    __m512i packed = _mm512_maskz_loadu_epi8(0x0000ffffffffffffu, bytes + 3 * i);
    __m512i wide = _mm512_srai_epi32(_mm512_permutexvar_epi8(spread, packed), 8);
    __m512 x = _mm512_mul_ps(_mm512_cvtepi32_ps(wide), gains);
    float *at = to + 2 * i;
    _mm512_storeu_ps(
      at, _mm512_add_ps(_mm512_loadu_ps(at), _mm512_mul_ps(_mm512_permutexvar_ps(low, x), sides)));
    _mm512_storeu_ps(
      at + 16, _mm512_add_ps(_mm512_loadu_ps(at + 16), _mm512_mul_ps(_mm512_permutexvar_ps(high, x), sides)));
  }
#elif defined(__AVX2__)
  const __m256i spread = _mm256_setr_epi8(
    -1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11);
  const __m256i low = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3), high = _mm256_setr_epi32(4, 4, 5, 5, 6, 6, 7, 7);
  const __m256 gains = _mm256_set1_ps(gain);
  const __m256 sides = _mm256_setr_ps(left, right, left, right, left, right, left, right);
  for (; i + 10 <= count; i += 8) {
    __m256i packed = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(bytes + 3 * i))),
      _mm_loadu_si128((const __m128i *)(bytes + 3 * i + 12)), 1);
    __m256i wide = _mm256_srai_epi32(_mm256_shuffle_epi8(packed, spread), 8);
    __m256 x = _mm256_mul_ps(_mm256_cvtepi32_ps(wide), gains);
    float *at = to + 2 * i;
    _mm256_storeu_ps(
      at, _mm256_add_ps(_mm256_loadu_ps(at), _mm256_mul_ps(_mm256_permutevar8x32_ps(x, low), sides)));
    _mm256_storeu_ps(
      at + 8, _mm256_add_ps(_mm256_loadu_ps(at + 8), _mm256_mul_ps(_mm256_permutevar8x32_ps(x, high), sides)));
  }
#endif
  for (; i < count; i++) {
    uint32_t bits = (uint32_t)bytes[3 * i] << 8 | (uint32_t)bytes[3 * i + 1] << 16 | (uint32_t)bytes[3 * i + 2] << 24;
    float x = (float)((int32_t)bits >> 8) * gain;
    to[2 * i] += x * left;
    to[2 * i + 1] += x * right;
  }
}

static void *work(void *unused) {
  (void)unused;
  static _Thread_local float mix[2 * SLICE] __attribute__((aligned(64)));
  static _Thread_local uint8_t bytes[3 * SLICE + 64] __attribute__((aligned(64)));
  int first_region = 0;
  for (;;) {
    long frame = atomic_fetch_add(&next_slice, 1) * SLICE;
    if (frame >= length) return NULL;
    long n = length - frame < SLICE ? length - frame : SLICE;
    memset(mix, 0, sizeof mix);
    while (first_region < region_count && regions[first_region].start + regions[first_region].frames <= frame)
      first_region++;
    for (int k = first_region; k < region_count && regions[k].start < frame + n; k++) {
      const Region *r = &regions[k];
      long first = r->start > frame ? r->start : frame;
      long end = r->start + r->frames < frame + n ? r->start + r->frames : frame + n;
      if (first >= end) continue;
      size_t size = 3 * (size_t)(end - first);
      if (pread(r->file, bytes, size, HEADER + 3 * (first - r->start + r->offset)) != (ssize_t)size) exit(74);
      add(bytes, end - first, r->gain, r->left, r->right, mix + 2 * (first - frame));
    }
    if (pwrite(out, mix, 8 * (size_t)n, HEADER + 8 * frame) != (ssize_t)(8 * n)) exit(74);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: limit LIST OUT.wav THREADS\n");
    return 64;
  }
  read_list(argv[1]);
  out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (out < 0) {
    perror(argv[2]);
    return 73;
  }
  uint8_t header[HEADER] = "RIFF....WAVEfmt \x10\0\0\0\x03\0\x02\0........\x08\0\x20\0data....";
  const uint32_t rate = 48000, rate_bytes = rate * 8, size = (uint32_t)(8 * length), all = 36 + size;
  memcpy(header + 4, &all, 4);
  memcpy(header + 24, &rate, 4);
  memcpy(header + 28, &rate_bytes, 4);
  memcpy(header + 40, &size, 4);
  if (pwrite(out, header, HEADER, 0) != HEADER) return 74;
  int threads = atoi(argv[3]);
  pthread_t ids[256];
  for (int i = 1; i < threads && i < 256; i++) pthread_create(&ids[i], NULL, work, NULL);
  work(NULL);
  for (int i = 1; i < threads && i < 256; i++) pthread_join(ids[i], NULL);
  return close(out) == 0 ? 0 : 74;
}
