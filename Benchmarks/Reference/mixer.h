// mixer.h: a mixer with effects and automation, as one would otherwise write it in C: 64 mono strips of four bells, a
// compressor, and lanes of volume and pan each, that feed the master and, by a send each, four buses; the first two buses
// are reverbs; a limiter on the master. The same formulas as those of `daw`, whose mix is compared with this one.
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { STRIPS = 64, BUSES = 4, BANDS = 4, RATE = 48000, LINES = 16, MOST_FRAMES = 1024 };
// A lane's points, and the frames at which gains are computed; straight between them.
enum { POINT = 1600, KNOT = 16 };
enum { LOOK_AHEAD = 240, TAPS = 12, LIMITER_LATENCY = LOOK_AHEAD + 6, LEAST = LOOK_AHEAD + 3 };

typedef struct {
  double turn, swing, follow, direct, band;
} Section;

typedef struct {
  double first[BANDS], second[BANDS], released, smooth;
} Strip;

static const double decibel = 0.16609640474436812;

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
  double high = (0.3205988979753252 + 0.2623081892525388 * u) + u2 * (0.22195308321368667 + 0.19235933878518513 * u);
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

static void equalize(Strip *strip, float *samples, int count) {
  for (int i = 0; i < count; i++) {
    double x = samples[i];
    for (int b = 0; b < BANDS; b++) {
      Section c = sections[b];
      double s1 = strip->first[b], s2 = strip->second[b], d = x - s2;
      double n1 = c.turn * s1 + c.swing * d, n2 = s2 + c.swing * s1 + c.follow * d;
      x = c.direct * x + c.band * (s1 + n1);
      strip->first[b] = n1;
      strip->second[b] = n2;
    }
    samples[i] = (float)x;
  }
}

static void compress(Strip *strip, float *samples, int count) {
  double threshold = -18 * decibel, half = 3 * decibel, factor = 0.25 / half, slope = 0.75;
  double released = strip->released, smooth = strip->smooth;
  for (int i = 0; i < count; i++) {
    double over = logarithm(fmax(fabs((double)samples[i]), 0x1p-30)) - threshold;
    double knee = fmin(fmax(over + half, 0), 2 * half);
    double reduction = slope * (knee * knee * factor + fmax(over - half, 0));
    double falling = release * released + (1 - release) * reduction;
    released = falling > reduction ? falling : reduction;
    smooth = attack * smooth + (1 - attack) * released;
    samples[i] = (float)(samples[i] * power(-smooth));
  }
  strip->released = released;
  strip->smooth = smooth;
}

typedef struct {
  int lengths[LINES], places[LINES], pre_place;
  double *lines[LINES], pre_delay[2][480];
  double low[LINES], high[LINES], middle_gain[LINES], high_gain[LINES], signs_in[LINES], signs_out[LINES];
  double low_factor, high_factor, level;
} Reverb;

static double one_pole(double frequency) {
  double g = tan(M_PI * frequency / RATE);
  return g / (1 + g);
}

static void make_reverb(Reverb *reverb) {
  static const double in[LINES] = {1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, -1, -1, -1, -1, 1};
  static const double out[LINES] = {1, 1, -1, -1, 1, -1, -1, 1, 1, 1, 1, 1, 1, -1, 1, -1};
  double sum = 0;
  int length = LINES;
  for (int l = 0; l < LINES; l++) {
    int least = (int)(23 * pow(97.0 / 23, l / 15.0) * RATE / 1000), is_prime = 0;
    for (length = least > length + 1 ? least : length + 1; !is_prime; length += !is_prime) {
      is_prime = 1;
      for (int d = 2; d * d <= length; d++) is_prime &= length % d != 0;
    }
    reverb->lengths[l] = length;
    reverb->lines[l] = calloc(length, sizeof(double));
    if (!reverb->lines[l]) exit(70);
    // 60 dB less after two seconds; the highs after one.
    reverb->middle_gain[l] = pow(10, -3.0 * length / RATE / 2);
    reverb->high_gain[l] = pow(10, -3.0 * length / RATE / 1);
    reverb->signs_in[l] = 0.5 * sqrt(0.5) * in[l];
    reverb->signs_out[l] = out[l];
    sum += reverb->middle_gain[l] * reverb->middle_gain[l];
  }
  reverb->level = sqrt(1 - sum / LINES);
  reverb->low_factor = one_pole(250);
  reverb->high_factor = one_pole(4000);
}

static void reverberate(Reverb *r, float *left, float *right, int count) {
  for (int i = 0; i < count; i++) {
    double heard[LINES], late[2] = {0, 0};
    double early[2] = {r->pre_delay[0][r->pre_place], r->pre_delay[1][r->pre_place]};
    r->pre_delay[0][r->pre_place] = left[i];
    r->pre_delay[1][r->pre_place] = right[i];
    r->pre_place = r->pre_place == 479 ? 0 : r->pre_place + 1;
    for (int l = 0; l < LINES; l++) heard[l] = r->lines[l][r->places[l]];
    for (int l = 0; l < LINES; l++) late[l & 1] += r->signs_out[l] * heard[l];
    for (int l = 0; l < LINES; l++) {
      double change = (heard[l] - r->high[l]) * r->high_factor, middle = r->high[l] + change;
      r->high[l] = middle + change;
      heard[l] = r->middle_gain[l] * middle + r->high_gain[l] * (heard[l] - middle);
    }
    // A Hadamard matrix, by sums and differences of neighbours.
    for (int pass = 0; pass < 4; pass++) {
      double sums[LINES];
      for (int l = 0; l < LINES / 2; l++) {
        sums[l] = heard[2 * l] + heard[2 * l + 1];
        sums[l + LINES / 2] = heard[2 * l] - heard[2 * l + 1];
      }
      memcpy(heard, sums, sizeof heard);
    }
    for (int l = 0; l < LINES; l++) {
      r->lines[l][r->places[l]] = 0.25 * heard[l] + r->signs_in[l] * early[l & 1];
      r->places[l] = r->places[l] + 1 == r->lengths[l] ? 0 : r->places[l] + 1;
    }
    left[i] = (float)(r->level * late[0]);
    right[i] = (float)(r->level * late[1]);
  }
}

typedef struct {
  double signal[2][LIMITER_LATENCY], recent[2][2 * TAPS], filters[3][TAPS], half[TAPS];
  int signal_place, recent_place, loud_frames;
  // The least of the last values, and the raised cosine that smoothes it.
  double least[LEAST], window[LOOK_AHEAD], below, sum, cosine_sum, sine_sum, greatest_gain;
  long least_number[LEAST], number;
  int least_first, least_count, window_place;
  double waves[4][LOOK_AHEAD], release;
} Limiter;

static void make_limiter(Limiter *limiter) {
  // ITU-R BS.1770, annex 2; then the quarter and the half between two samples by a windowed sinc.
  static const double annex[2][TAPS] = {
      {0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625, 0.97216796875,
       -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125},
      {-0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625, 0.77978515625,
       -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375}};
  memcpy(limiter->filters, annex, sizeof annex);
  for (int k = 0; k < TAPS; k++) {
    for (int first = 1; first < 3; first++) {
      double m = first + 4 * k - 24, value = sin(M_PI * m / 4) / (M_PI * m / 4);
      (first == 1 ? limiter->filters[2] : limiter->half)[k] = value * 0.5 * (1 - cos(2 * M_PI * (first + 4 * k) / 48));
    }
  }
  for (int f = 0; f < 4; f++) {
    double gain = 0;
    for (int k = 0; k < TAPS; k++) gain += fabs(f < 3 ? limiter->filters[f][k] : limiter->half[k]);
    limiter->greatest_gain = fmax(limiter->greatest_gain, gain * 1.000001);
  }
  for (int i = 0; i < LOOK_AHEAD; i++) {
    double angle = 2 * M_PI * i / LOOK_AHEAD, later = 2 * M_PI * (i + 0.5) / LOOK_AHEAD;
    limiter->waves[0][i] = cos(angle);
    limiter->waves[1][i] = sin(angle);
    limiter->waves[2][i] = cos(later);
    limiter->waves[3][i] = sin(later);
  }
  limiter->release = exp(-1000 / (100.0 * RATE));
}

static double true_peak(const Limiter *limiter) {
  double most = 0;
  for (int s = 0; s < 2; s++) {
    const double *x = limiter->recent[s] + limiter->recent_place;
    for (int f = 0; f < 3; f++) {
      double forth = 0, back = 0;
      for (int k = 0; k < TAPS; k++) {
        forth += limiter->filters[f][k] * x[TAPS - 1 - k];
        back += limiter->filters[f][k] * x[k];
      }
      most = fmax(most, fmax(fabs(forth), fabs(back)));
    }
    double half = 0;
    for (int k = 0; k < TAPS; k++) half += limiter->half[k] * x[k];
    most = fmax(most, fmax(fabs(half), fmax(fabs(x[TAPS / 2 - 1]), fabs(x[TAPS / 2]))));
  }
  return most;
}

static double least_of_last(Limiter *limiter, double value) {
  if (limiter->least_count > 0 && limiter->least_number[limiter->least_first] + LEAST <= limiter->number) {
    limiter->least_first = (limiter->least_first + 1) % LEAST;
    limiter->least_count--;
  }
  while (limiter->least_count > 0 &&
         limiter->least[(limiter->least_first + limiter->least_count - 1) % LEAST] >= value)
    limiter->least_count--;
  int place = (limiter->least_first + limiter->least_count++) % LEAST;
  limiter->least[place] = value;
  limiter->least_number[place] = limiter->number++;
  return limiter->least[limiter->least_first];
}

// What comes out is LIMITER_LATENCY frames late.
static void limit(Limiter *limiter, float *left, float *right, int count) {
  double ceiling = power(-decibel);
  for (int i = 0; i < count; i++) {
    double input[2] = {left[i], right[i]}, allowed = 1;
    for (int s = 0; s < 2; s++)
      limiter->recent[s][limiter->recent_place] = limiter->recent[s][limiter->recent_place + TAPS] = input[s];
    limiter->recent_place = (limiter->recent_place + 1) % TAPS;
    if (fmax(fabs(input[0]), fabs(input[1])) * limiter->greatest_gain > ceiling) limiter->loud_frames = TAPS;
    if (limiter->loud_frames > 0) {
      limiter->loud_frames--;
      allowed = fmin(1, ceiling / true_peak(limiter));
    }
    limiter->below = fmax(1 - least_of_last(limiter, allowed), limiter->below * limiter->release);
    int place = limiter->window_place;
    double change = limiter->below - limiter->window[place];
    limiter->window[place] = limiter->below;
    limiter->sum += change;
    limiter->cosine_sum += change * limiter->waves[0][place];
    limiter->sine_sum += change * limiter->waves[1][place];
    limiter->window_place = (place + 1) % LOOK_AHEAD;
    double smooth = limiter->cosine_sum * limiter->waves[2][place] + limiter->sine_sum * limiter->waves[3][place];
    double gain = 1 - (limiter->sum - smooth) / LOOK_AHEAD;
    for (int s = 0; s < 2; s++) {
      double delayed = limiter->signal[s][limiter->signal_place];
      limiter->signal[s][limiter->signal_place] = input[s];
      (s ? right : left)[i] = (float)fmin(fmax(delayed * gain, -ceiling), ceiling);
    }
    limiter->signal_place = (limiter->signal_place + 1) % LIMITER_LATENCY;
  }
}

static Reverb reverbs[2];
static Limiter limiter;

static void make_mixer(void) {
  static const double frequencies[BANDS] = {60, 120, 250, 500};
  for (int b = 0; b < BANDS; b++) sections[b] = bell(frequencies[b], 3, sqrt(0.5));
  attack = exp(-1000 / (10.0 * RATE));
  release = exp(-1000 / (150.0 * RATE));
  make_reverb(&reverbs[0]);
  make_reverb(&reverbs[1]);
  make_limiter(&limiter);
}

// The values of points, which jobs.py writes into the project, and LiveBenchmark into its plan.
static double level_point(int strip, long point) { return -20 - (double)((point * 7 + strip * 3) % 11); }
static double pan_point(int strip, long point) { return ((double)((point * 3 + strip) % 9) - 4) / 4; }
static double sent_level(int strip, int bus) { return -12 - (strip + bus) % 5; }

static double on_lane(double (*value)(int, long), int strip, long frame) {
  long point = frame / POINT;
  double from = value(strip, point), to = value(strip, point + 1);
  return from + (to - from) * (double)(frame % POINT) / POINT;
}

static void gains_at(int strip, long frame, double *left, double *right) {
  double volume = power(on_lane(level_point, strip, frame) * decibel);
  double angle = (on_lane(pan_point, strip, frame) + 1) * (M_PI / 4);
  *left = volume * cos(angle);
  *right = volume * sin(angle);
}

// Adds samples with the gains of a knot and the next, times a send's.
static void add(const float *samples, const double *gains, const double *next, double sent, float *left, float *right) {
  double l = gains[0] * sent, r = gains[1] * sent;
  double l_step = (next[0] * sent - l) / KNOT, r_step = (next[1] * sent - r) / KNOT;
  for (int i = 0; i < KNOT; i++) {
    left[i] += samples[i] * (float)(l + l_step * i);
    right[i] += samples[i] * (float)(r + r_step * i);
  }
}

// Mixes the frames of a block; `samples` has the strips', and is overwritten.
//   frame, count: multiples of KNOT; at most MOST_FRAMES.
static void mix_block(float samples[STRIPS][MOST_FRAMES], long frame, int count, float *left, float *right) {
  static float buses[BUSES][2][MOST_FRAMES];
  memset(buses, 0, sizeof buses);
  memset(left, 0, count * sizeof *left);
  memset(right, 0, count * sizeof *right);
  for (int k = 0; k < STRIPS; k++) {
    equalize(&strips[k], samples[k], count);
    compress(&strips[k], samples[k], count);
    double gains[2], next[2], sent[BUSES];
    for (int b = 0; b < BUSES; b++) sent[b] = power(sent_level(k, b) * decibel);
    gains_at(k, frame, &gains[0], &gains[1]);
    for (int i = 0; i < count; i += KNOT) {
      gains_at(k, frame + i + KNOT, &next[0], &next[1]);
      add(samples[k] + i, gains, next, 1, left + i, right + i);
      for (int b = 0; b < BUSES; b++) add(samples[k] + i, gains, next, sent[b], buses[b][0] + i, buses[b][1] + i);
      memcpy(gains, next, sizeof gains);
    }
  }
  for (int b = 0; b < BUSES; b++) {
    if (b < 2) reverberate(&reverbs[b], buses[b][0], buses[b][1], count);
    for (int i = 0; i < count; i++) {
      left[i] += buses[b][0][i];
      right[i] += buses[b][1][i];
    }
  }
  limit(&limiter, left, right, count);
}
