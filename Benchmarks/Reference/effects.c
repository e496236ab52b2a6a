// effects: the equalizer and the compressor of `daw` as one would otherwise write them in C, with the same formulas and
// the same arithmetic, for the price of a strip. EffectBench prints the same line, and the same sums.
//
//   effects SECONDS
//
// 64 stereo strips of noise at 48 kHz in blocks of 256 frames, each through four bells and a compressor, all in one
// thread. Prints nanoseconds per frame of a strip, and the sum of all that came out.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRIPS = 64, BLOCK = 256, BANDS = 4, RATE = 48000 };

typedef struct {
  double turn, swing, follow, direct, band;
} Section;

typedef struct {
  double first[BANDS][2], second[BANDS][2], released, smooth;
} Strip;

static double decibel = 0.16609640474436812;

static double power(double x) {
  double shifted = x + 0x1.8p52, f = x - (shifted - 0x1.8p52);
  uint64_t bits;
  memcpy(&bits, &shifted, 8);
  bits = (bits - (0x4338000000000000 - 1023)) << 52;
  double scale, f2 = f * f, f4 = f2 * f2;
  memcpy(&scale, &bits, 8);
  double low = (1 + 0.6931471805599453 * f) + f2 * (0.2402265069591007 + 0.05550410866482158 * f);
  double middle =
      (0.009618129107628477 + 0.0013333558146428442 * f) + f2 * (0.0001540353039338161 + 1.525273380405984e-5 * f);
  double high =
      (1.3215486790144309e-6 + 1.0178086009239698e-7 * f) + f2 * (7.05491162080112e-9 + 4.445538271870811e-10 * f);
  return (low + f4 * middle + f4 * f4 * high) * scale;
}

static double logarithm(double x) {
  uint64_t bits, k;
  memcpy(&bits, &x, 8);
  k = (bits + (0x4000000000000000 - 0x3fe6a09e667f3bcd)) >> 52;
  bits -= (k - 1024) << 52;
  double m;
  memcpy(&m, &bits, 8);
  double s = (m - 1) / (m + 1), u = s * s, u2 = u * u;
  double low = (2.8853900817779268 + 0.9617966939259756 * u) + u2 * (0.5770780163555854 + 0.4121985831111324 * u);
  double high = (0.3205988979753252 + 0.2623081892525388 * u) + u2 * (0.22195308321368667 + 0.19235933878519513 * u);
  return ((double)k - 1024) + s * (low + u2 * u2 * high);
}

static Section bell(double frequency, double decibels, double q) {
  double g = tan(M_PI * frequency / RATE), a = pow(10, decibels / 40), k = 1 / (q * a);
  double a1 = 1 / (1 + g * (g + k)), a2 = g * a1;
  return (Section){2 * a1 - 1, 2 * a2, 2 * g * a2, 1, 0.5 * k * (a * a - 1)};
}

static Section sections[BANDS];
static Strip strips[STRIPS];
static double attack, release;

static void equalize(Strip *strip, float *left, float *right) {
  for (int i = 0; i < BLOCK; i++) {
    double x[2] = {left[i], right[i]};
    for (int b = 0; b < BANDS; b++) {
      Section c = sections[b];
      for (int s = 0; s < 2; s++) {
        double s1 = strip->first[b][s], s2 = strip->second[b][s], d = x[s] - s2;
        double n1 = c.turn * s1 + c.swing * d, n2 = s2 + c.swing * s1 + c.follow * d;
        x[s] = c.direct * x[s] + c.band * (s1 + n1);
        strip->first[b][s] = n1;
        strip->second[b][s] = n2;
      }
    }
    left[i] = (float)x[0];
    right[i] = (float)x[1];
  }
}

static void compress(Strip *strip, float *left, float *right) {
  double threshold = -18 * decibel, half = 3 * decibel, factor = 0.25 / half, slope = 0.75;
  double released = strip->released, smooth = strip->smooth;
  for (int i = 0; i < BLOCK; i++) {
    double size = fmax(fmax(fabs((double)left[i]), fabs((double)right[i])), 0x1p-30);
    double over = logarithm(size) - threshold, knee = fmin(fmax(over + half, 0), 2 * half);
    double reduction = slope * (knee * knee * factor + fmax(over - half, 0));
    double falling = release * released + (1 - release) * reduction;
    released = falling > reduction ? falling : reduction;
    smooth = attack * smooth + (1 - attack) * released;
    double gain = power(-smooth);
    left[i] = (float)(left[i] * gain);
    right[i] = (float)(right[i] * gain);
  }
  strip->released = released;
  strip->smooth = smooth;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: effects SECONDS\n");
    return 64;
  }
  double frequencies[BANDS] = {60, 120, 250, 500};
  for (int b = 0; b < BANDS; b++) sections[b] = bell(frequencies[b], 3, sqrt(0.5));
  attack = exp(-1000 / (10.0 * RATE));
  release = exp(-1000 / (150.0 * RATE));
  long blocks = (long)(atof(argv[1]) * RATE / BLOCK);
  float left[BLOCK], right[BLOCK], noise[2][BLOCK];
  uint32_t seed = 1;
  double sum = 0;
  struct timespec from, to;
  for (int i = 0; i < 2 * BLOCK; i++) {
    seed = seed * 1664525 + 1013904223;
    noise[i / BLOCK][i % BLOCK] = (float)(int32_t)seed / 0x1p31f;
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  for (long block = 0; block < blocks; block++) {
    for (int s = 0; s < STRIPS; s++) {
      memcpy(left, noise[0], sizeof left);
      memcpy(right, noise[1], sizeof right);
      equalize(&strips[s], left, right);
      compress(&strips[s], left, right);
      sum += left[s] + right[s];
    }
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  double seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
  printf("%.2f %.4f\n", seconds * 1e9 / ((double)blocks * BLOCK * STRIPS), sum);
  return 0;
}
