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

BODY void measure_peaks_body(const double *right, double least, size_t count, double *restrict values) {
  for (size_t i = 0; i < count; i++) {
    double a = __builtin_fabs(values[i]), b = __builtin_fabs(right[i]), peak = b > a ? b : a;
    values[i] = daw_logarithm(least > peak ? least : peak);
  }
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

// What goes through four sections, of one side.
typedef struct {
  Four first, second;
  // The outputs of the last steps, the oldest first.
  Four late[LAG];
} FourSections;

// Section k is at frame step − k × LAG. Where there is no such frame its states stay as they are; `is_whole` says that there is
// one in every step.
BODY void filter_step(
  const Four *coefficients, FourSections *side, size_t step, size_t count, int is_whole, double *samples) {
  const Four turn = coefficients[0], swing = coefficients[1], follow = coefficients[2];
  const Four direct = coefficients[3], band = coefficients[4], low = coefficients[5];
  const Four first = side->first, second = side->second;
  const Four input = {step < count ? samples[step] : 0};
  const Four x = __builtin_shufflevector(input, side->late[0], 0, 4, 5, 6);
  const Four d = x - second;
  Four next_first = turn * first + swing * d;
  Four next_second = second + swing * first + follow * d;
  const Four output = direct * x + band * (first + next_first) + low * (second + next_second);
  if (!is_whole) {
    const FourFlags frame = (int64_t)step - (FourFlags){0, LAG, 2 * LAG, 3 * LAG};
    const FourFlags is_there = (frame >= 0) & (frame < (int64_t)count);
    next_first = (Four)((is_there & (FourFlags)next_first) | (~is_there & (FourFlags)first));
    next_second = (Four)((is_there & (FourFlags)next_second) | (~is_there & (FourFlags)second));
  }
  side->first = next_first, side->second = next_second;
  side->late[0] = side->late[1], side->late[1] = side->late[2], side->late[2] = output;
  if (step >= LAST_LAG) samples[step - LAST_LAG] = output[3];
}

BODY void filter_steps(
  const Four *coefficients, FourSections *sides, size_t from, size_t to, size_t count, int is_whole, double *left,
  double *right) {
  FourSections first = sides[0], second = sides[1];
  for (size_t step = from; step < to; step++) {
    filter_step(coefficients, &first, step, count, is_whole, left);
    if (right) filter_step(coefficients, &second, step, count, is_whole, right);
  }
  sides[0] = first, sides[1] = second;
}

BODY void filter_sides(const Four *coefficients, Four *states, size_t count, double *left, double *right) {
  FourSections sides[2] = {{states[0], states[1], {{0}}}, {states[2], states[3], {{0}}}};
  const size_t begin = count < LAST_LAG ? count + LAST_LAG : LAST_LAG;
  filter_steps(coefficients, sides, 0, begin, count, 0, left, right);
  if (count >= LAST_LAG) {
    filter_steps(coefficients, sides, begin, count, count, 1, left, right);
    filter_steps(coefficients, sides, count, count + LAST_LAG, count, 0, left, right);
  }
  states[0] = sides[0].first, states[1] = sides[0].second;
  states[2] = sides[1].first, states[3] = sides[1].second;
}

// The sides of a stereo signal in one loop, so that one is computed while the other waits for its last frame.
BODY void filter_body(const double *coefficients, double *states, size_t count, double *left, double *right) {
  if (right) {
    filter_sides((const Four *)coefficients, (Four *)states, count, left, right);
  } else {
    filter_sides((const Four *)coefficients, (Four *)states, count, left, 0);
  }
}

PATHS(read_heard, (const float *samples, size_t count, double *values), samples, count, values)
PATHS(
  write_product, (const double *signal, const double *gains, double dry, double wet, size_t count, float *samples), signal,
  gains, dry, wet, count, samples)
PATHS(write_values, (const double *values, size_t count, float *samples), values, count, samples)
PATHS(
  measure_levels, (double least, double factor, size_t count, double *values), least, factor, count, values)
PATHS(
  measure_peaks, (const double *right, double least, size_t count, double *values), right, least, count, values)
PATHS(
  reduce_levels,
  (double threshold, double half_knee, double knee_factor, double slope, size_t count, double *values), threshold,
  half_knee, knee_factor, slope, count, values)
PATHS(
  filter, (const double *coefficients, double *states, size_t count, double *left, double *right), coefficients, states,
  count, left, right)

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

void daw_measure_peaks(
  daw_sample_path path, const double *right, double least, size_t count, double *values) {
  ON_PATH(path, measure_peaks, right, least, count, values);
}

void daw_reduce_levels(
  daw_sample_path path, double threshold, double halfKnee, double kneeFactor, double slope, size_t count,
  double *values) {
  ON_PATH(path, reduce_levels, threshold, halfKnee, kneeFactor, slope, count, values);
}

void daw_filter(
  daw_sample_path path, const double *coefficients, double *states, size_t count, double *left, double *right) {
  ON_PATH(path, filter, coefficients, states, count, left, right);
}
