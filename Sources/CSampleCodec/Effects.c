#include "Paths.h"

// The inner loops of effects. What has a memory runs from frame to frame, with a vector over sections; only what has none is
// computed for several frames at a time.

BODY void read_heard_body(const float *samples, size_t count, double *restrict values) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    __builtin_memcpy(&bits, samples + i, sizeof bits);
    uint32_t magnitude = bits & 0x7fffffff;
    // From 2⁻¹²⁶ to below 2⁶⁴.
    bits = magnitude - 0x00800000u < 0x5f800000u - 0x00800000u ? bits : 0;
    float heard;
    __builtin_memcpy(&heard, &bits, sizeof heard);
    values[i] = heard;
  }
}

BODY void write_product_body(
  const double *signal, const double *gains, double dry, double wet, size_t count, float *restrict samples) {
  for (size_t i = 0; i < count; i++) {
    double value = signal[i] * (dry + wet * gains[i]);
    samples[i] = __builtin_fabs(value) < 0x1p-126 ? 0 : (float)value;
  }
}

BODY void write_values_body(const double *values, size_t count, float *restrict samples) {
  for (size_t i = 0; i < count; i++) samples[i] = __builtin_fabs(values[i]) < 0x1p-126 ? 0 : (float)values[i];
}

BODY void measure_levels_body(double least, double factor, size_t count, double *restrict values) {
  for (size_t i = 0; i < count; i++) values[i] = factor * daw_logarithm(least > values[i] ? least : values[i]);
}

BODY void reduce_levels_body(
  double threshold, double half_knee, double knee_factor, double slope, size_t count, double *restrict values) {
  for (size_t i = 0; i < count; i++) {
    double over = values[i] - threshold, knee = over + half_knee, above = over - half_knee;
    knee = knee > 0 ? knee : 0;
    knee = knee < 2 * half_knee ? knee : 2 * half_knee;
    values[i] = slope * (knee * knee * knee_factor + (above > 0 ? above : 0));
  }
}

// Four sections at a time, each a few frames behind the one before it, so that none waits for another's output.
typedef double Four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double))));
typedef int64_t FourFlags __attribute__((vector_size(4 * sizeof(int64_t))));

enum { LAG = 3, LAST_LAG = 3 * LAG };

// Section k is at frame step − k × LAG. Where there is no such frame its states stay as they are; `is_whole` says that there is
// one in every step.
BODY void filter_steps(
  const double *coefficients, double *states, Four *late, size_t from, size_t to, size_t count,
  int is_whole, double *samples) {
  const Four *all = (const Four *)coefficients;
  const Four turn = all[0], swing = all[1], follow = all[2], direct = all[3], band = all[4], low = all[5];
  Four first = ((Four *)states)[0], second = ((Four *)states)[1];
  Four a = late[0], b = late[1], c = late[2];
  for (size_t step = from; step < to; step++) {
    const Four input = {step < count ? samples[step] : 0};
    const Four x = __builtin_shufflevector(input, a, 0, 4, 5, 6);
    const Four d = x - second;
    Four next_first = turn * first + swing * d;
    Four next_second = second + swing * first + follow * d;
    a = b, b = c;
    c = direct * x + band * (first + next_first) + low * (second + next_second);
    if (!is_whole) {
      const FourFlags frame = (int64_t)step - (FourFlags){0, LAG, 2 * LAG, 3 * LAG};
      const FourFlags is_there = (frame >= 0) & (frame < (int64_t)count);
      next_first = (Four)((is_there & (FourFlags)next_first) | (~is_there & (FourFlags)first));
      next_second = (Four)((is_there & (FourFlags)next_second) | (~is_there & (FourFlags)second));
    }
    first = next_first, second = next_second;
    if (step >= LAST_LAG) samples[step - LAST_LAG] = c[3];
  }
  late[0] = a, late[1] = b, late[2] = c;
  ((Four *)states)[0] = first, ((Four *)states)[1] = second;
}

BODY void filter_body(const double *coefficients, double *states, size_t count, double *samples) {
  Four late[LAG] = {{0}};
  const size_t begin = count < LAST_LAG ? count + LAST_LAG : LAST_LAG;
  filter_steps(coefficients, states, late, 0, begin, count, 0, samples);
  if (count < LAST_LAG) return;
  filter_steps(coefficients, states, late, begin, count, count, 1, samples);
  filter_steps(coefficients, states, late, count, count + LAST_LAG, count, 0, samples);
}

PATHS(read_heard, (const float *samples, size_t count, double *values), samples, count, values)
PATHS(
  write_product, (const double *signal, const double *gains, double dry, double wet, size_t count, float *samples), signal,
  gains, dry, wet, count, samples)
PATHS(write_values, (const double *values, size_t count, float *samples), values, count, samples)
PATHS(
  measure_levels, (double least, double factor, size_t count, double *values), least, factor, count, values)
PATHS(
  reduce_levels,
  (double threshold, double half_knee, double knee_factor, double slope, size_t count, double *values), threshold,
  half_knee, knee_factor, slope, count, values)
PATHS(
  filter, (const double *coefficients, double *states, size_t count, double *samples), coefficients, states, count, samples)

void daw_read_heard(daw_sample_path path, const float *samples, size_t count, double *values) {
  ON_PATH(path, read_heard, samples, count, values);
}

void daw_write_product(
  daw_sample_path path, const double *signal, const double *gains, double dry, double wet, size_t count,
  float *samples) {
  ON_PATH(path, write_product, signal, gains, dry, wet, count, samples);
}

void daw_write_values(daw_sample_path path, const double *values, size_t count, float *samples) {
  ON_PATH(path, write_values, values, count, samples);
}

void daw_measure_levels(daw_sample_path path, double least, double factor, size_t count, double *values) {
  ON_PATH(path, measure_levels, least, factor, count, values);
}

void daw_reduce_levels(
  daw_sample_path path, double threshold, double halfKnee, double kneeFactor, double slope, size_t count,
  double *values) {
  ON_PATH(path, reduce_levels, threshold, halfKnee, kneeFactor, slope, count, values);
}

void daw_filter(
  daw_sample_path path, const double *coefficients, double *states, size_t count, double *samples) {
  ON_PATH(path, filter, coefficients, states, count, samples);
}
