#include "Paths.h"

// The inner loops of mixing, and of curves.

enum { STEP = DAW_KNOT_FRAMES };

// Of a loop over stretches: vectors lie within one, not across them.
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable) unroll(disable)")

BODY void mix_body(
  const float *left, const float *right, size_t count, float left_gain, float right_gain, float *restrict target_left,
  float *restrict target_right) {
  for (size_t i = 0; i < count; i++) {
    target_left[i] += left[i] * left_gain;
    target_right[i] += right[i] * right_gain;
  }
}

// What a stretch adds from one frame to the next; times 1/16 is the same as ÷ 16.
BODY double slope(const double *knots) { return (knots[1] - knots[0]) * (1.0 / STEP); }

BODY void fill_lines_body(const double *knots, size_t pieces, double *restrict values) {
  ONE_BY_ONE for (size_t p = 0; p < pieces; p++) {
    double value = knots[p], step = slope(knots + p);
    for (int k = 0; k < STEP; k++) values[STEP * p + k] = value + (double)k * step;
  }
}

BODY void multiply_by_lines_body(const double *knots, size_t pieces, double *restrict values) {
  ONE_BY_ONE for (size_t p = 0; p < pieces; p++) {
    double value = knots[p], step = slope(knots + p);
    for (int k = 0; k < STEP; k++) values[STEP * p + k] *= value + (double)k * step;
  }
}

BODY void add_along_line(
  const float *samples, const double *common, const double *knots, double factor, float *restrict target) {
  float gains[STEP];
  if (knots) {
    double value = knots[0], step = slope(knots);
    for (int k = 0; k < STEP; k++) gains[k] = (float)(common[k] * (value + (double)k * step));
  } else {
    for (int k = 0; k < STEP; k++) gains[k] = (float)(common[k] * factor);
  }
  for (int k = 0; k < STEP; k++) target[k] += samples[k] * gains[k];
}

BODY void mix_along_lines_body(
  const float *left, const float *right, size_t pieces, const double *common, const double *left_knots,
  const double *right_knots, double left_factor, double right_factor, float *restrict target_left,
  float *restrict target_right) {
  if (left_knots && right_knots) {
    ONE_BY_ONE for (size_t p = 0; p < pieces; p++) {
      add_along_line(left + STEP * p, common + STEP * p, left_knots + p, 1, target_left + STEP * p);
      add_along_line(right + STEP * p, common + STEP * p, right_knots + p, 1, target_right + STEP * p);
    }
  } else {
    ONE_BY_ONE for (size_t p = 0; p < pieces; p++) {
      add_along_line(
        left + STEP * p, common + STEP * p, left_knots ? left_knots + p : 0, left_factor, target_left + STEP * p);
      add_along_line(
        right + STEP * p, common + STEP * p, right_knots ? right_knots + p : 0, right_factor,
        target_right + STEP * p);
    }
  }
}

// The same where the common factor is itself a line, times a constant.
BODY void mix_along_common_line_body(
  const float *left, const float *right, size_t pieces, const double *common_knots, double constant,
  const double *left_knots, const double *right_knots, double left_factor, double right_factor,
  float *restrict target_left, float *restrict target_right) {
  ONE_BY_ONE for (size_t p = 0; p < pieces; p++) {
    double common[STEP], value = common_knots[p], step = slope(common_knots + p);
    for (int k = 0; k < STEP; k++) common[k] = (value + (double)k * step) * constant;
    add_along_line(
      left + STEP * p, common, left_knots ? left_knots + p : 0, left_factor, target_left + STEP * p);
    add_along_line(
      right + STEP * p, common, right_knots ? right_knots + p : 0, right_factor, target_right + STEP * p);
  }
}

BODY double bent_value(const daw_bent_line *line, int k) {
  double straight = line->value + (double)k * line->step;
  double bent = line->bentValue + (double)(k - line->bend) * line->bentStep;
  return k < line->bend ? straight : bent;
}

BODY void mix_along_bent_lines_body(
  const float *left, const float *right, const daw_bent_line *common, double constant, const daw_bent_line *left_line,
  const daw_bent_line *right_line, float *restrict target_left, float *restrict target_right) {
  double products[STEP];
  float left_gains[STEP], right_gains[STEP];
  for (int k = 0; k < STEP; k++) products[k] = bent_value(common, k) * constant;
  for (int k = 0; k < STEP; k++) left_gains[k] = (float)(products[k] * bent_value(left_line, k));
  for (int k = 0; k < STEP; k++) right_gains[k] = (float)(products[k] * bent_value(right_line, k));
  for (int k = 0; k < STEP; k++) target_left[k] += left[k] * left_gains[k];
  for (int k = 0; k < STEP; k++) target_right[k] += right[k] * right_gains[k];
}

BODY void fill_knots_body(
  double from, double to, double first, double length, size_t count, double *restrict values) {
  double change = to - from;
  // In 32 bits, whose conversion is a vector instruction.
  for (int k = 0; k < (int)count; k++) values[k] = from + change * ((first + (double)(STEP * k)) / length);
}

BODY void powers_of_two_body(size_t count, double *restrict values) {
  for (size_t k = 0; k < count; k++) values[k] = daw_power_of_two(values[k]);
}

BODY void pan_gains_body(daw_pan_law law, double factor, size_t count, double *restrict values) {
  if (law == DAW_PAN_CONSTANT_POWER) {
    for (size_t k = 0; k < count; k++) values[k] = daw_pan_gain(DAW_PAN_CONSTANT_POWER, 0.5 + values[k] * factor);
  } else {
    for (size_t k = 0; k < count; k++) values[k] = daw_pan_gain(law, 0.5 + values[k] * factor);
  }
}

PATHS(
  mix,
  (const float *left, const float *right, size_t count, float left_gain, float right_gain, float *target_left,
   float *target_right),
  left, right, count, left_gain, right_gain, target_left, target_right)
PATHS(fill_lines, (const double *knots, size_t pieces, double *values), knots, pieces, values)
PATHS(multiply_by_lines, (const double *knots, size_t pieces, double *values), knots, pieces, values)
PATHS(
  mix_along_lines,
  (const float *left, const float *right, size_t pieces, const double *common, const double *left_knots,
   const double *right_knots, double left_factor, double right_factor, float *target_left, float *target_right),
  left, right, pieces, common, left_knots, right_knots, left_factor, right_factor, target_left, target_right)
PATHS(
  mix_along_common_line,
  (const float *left, const float *right, size_t pieces, const double *common_knots, double constant,
   const double *left_knots, const double *right_knots, double left_factor, double right_factor, float *target_left,
   float *target_right),
  left, right, pieces, common_knots, constant, left_knots, right_knots, left_factor, right_factor, target_left,
  target_right)
PATHS(
  mix_along_bent_lines,
  (const float *left, const float *right, const daw_bent_line *common, double constant, const daw_bent_line *left_line,
   const daw_bent_line *right_line, float *target_left, float *target_right),
  left, right, common, constant, left_line, right_line, target_left, target_right)
PATHS(
  fill_knots, (double from, double to, double first, double length, size_t count, double *values), from, to, first,
  length, count, values)
PATHS(powers_of_two, (size_t count, double *values), count, values)
PATHS(
  pan_gains, (daw_pan_law law, double factor, size_t count, double *values), law, factor, count, values)

void daw_mix(
  daw_sample_path path, const float *left, const float *right, size_t count, float leftGain, float rightGain,
  float *targetLeft, float *targetRight) {
  ON_PATH(path, mix, left, right, count, leftGain, rightGain, targetLeft, targetRight);
}

void daw_fill_lines(daw_sample_path path, const double *knots, size_t pieces, double *values) {
  ON_PATH(path, fill_lines, knots, pieces, values);
}

void daw_multiply_by_lines(daw_sample_path path, const double *knots, size_t pieces, double *values) {
  ON_PATH(path, multiply_by_lines, knots, pieces, values);
}

void daw_mix_along_lines(
  daw_sample_path path, const float *left, const float *right, size_t pieces, const double *common,
  const double *leftKnots, const double *rightKnots, double leftFactor, double rightFactor, float *targetLeft,
  float *targetRight) {
  ON_PATH(
    path, mix_along_lines, left, right, pieces, common, leftKnots, rightKnots, leftFactor, rightFactor, targetLeft,
    targetRight);
}

void daw_mix_along_common_line(
  daw_sample_path path, const float *left, const float *right, size_t pieces, const double *commonKnots,
  double constant, const double *leftKnots, const double *rightKnots, double leftFactor, double rightFactor,
  float *targetLeft, float *targetRight) {
  ON_PATH(
    path, mix_along_common_line, left, right, pieces, commonKnots, constant, leftKnots, rightKnots, leftFactor,
    rightFactor, targetLeft, targetRight);
}

void daw_mix_along_bent_lines(
  daw_sample_path path, const float *left, const float *right, const daw_bent_line *common, double constant,
  const daw_bent_line *leftLine, const daw_bent_line *rightLine, float *targetLeft, float *targetRight) {
  ON_PATH(
    path, mix_along_bent_lines, left, right, common, constant, leftLine, rightLine, targetLeft, targetRight);
}

void daw_fill_knots(
  daw_sample_path path, double from, double to, double first, double length, size_t count, double *values) {
  ON_PATH(path, fill_knots, from, to, first, length, count, values);
}

void daw_powers_of_two(daw_sample_path path, size_t count, double *values) {
  ON_PATH(path, powers_of_two, count, values);
}

void daw_pan_gains(daw_sample_path path, daw_pan_law law, double factor, size_t count, double *values) {
  ON_PATH(path, pan_gains, law, factor, count, values);
}
