#include "Paths.h"

// The inner loops of mixing, and of curves.

enum { STEP = DAW_KNOT_FRAMES };

BODY void mix_body(
  const float *left, const float *right, size_t count, float left_gain, float right_gain, float *restrict target_left,
  float *restrict target_right) {
  for (size_t i = 0; i < count; i++) {
    target_left[i] += left[i] * left_gain;
    target_right[i] += right[i] * right_gain;
  }
}

// The frames of a stretch as one value, which the compiler divides among the processor's vectors. A loop over them instead made it
// treat 0 × step and 1 × step apart, with a shuffle for each.
typedef double Doubles __attribute__((vector_size(STEP * sizeof(double)), aligned(sizeof(double))));
typedef float Floats __attribute__((vector_size(STEP * sizeof(float)), aligned(sizeof(float))));

// The values of a stretch that goes straight from one knot to the next. Times 1/16 is the same as ÷ 16.
BODY void read_line(const double *knots, Doubles *values) {
  const Doubles frames = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  *values = knots[0] + frames * ((knots[1] - knots[0]) * (1.0 / STEP));
}

BODY void fill_lines_body(const double *knots, size_t pieces, double *restrict values) {
  for (size_t p = 0; p < pieces; p++) read_line(knots + p, (Doubles *)(values + STEP * p));
}

BODY void multiply_by_lines_body(const double *knots, size_t pieces, double *restrict values) {
  for (size_t p = 0; p < pieces; p++) {
    Doubles line, *products = (Doubles *)(values + STEP * p);
    read_line(knots + p, &line);
    *products *= line;
  }
}

// Adds a stretch. The gain is `common` times a line, or times `factor` where there is no line.
BODY void add_along_line(
  const float *samples, const Doubles *common, const double *knots, double factor, float *restrict target) {
  Doubles products;
  if (knots) {
    read_line(knots, &products);
    products *= *common;
  } else {
    products = *common * factor;
  }
  *(Floats *)target += *(const Floats *)samples * __builtin_convertvector(products, Floats);
}

BODY void mix_along_lines_body(
  const float *left, const float *right, size_t pieces, const double *common, const double *left_knots,
  const double *right_knots, double left_factor, double right_factor, float *restrict target_left,
  float *restrict target_right) {
  for (size_t p = 0; p < pieces; p++) {
    size_t i = STEP * p;
    const Doubles *products = (const Doubles *)(common + i);
    add_along_line(left + i, products, left_knots ? left_knots + p : 0, left_factor, target_left + i);
    add_along_line(right + i, products, right_knots ? right_knots + p : 0, right_factor, target_right + i);
  }
}

typedef double EightDoubles __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double))));
typedef float EightFloats __attribute__((vector_size(8 * sizeof(float)), aligned(sizeof(float))));

// How many stretches' steps are computed at once.
enum { STRETCHES = 64 };

BODY void read_steps(const double *knots, size_t pieces, double *restrict steps) {
  if (!knots) return;
  for (size_t p = 0; p < pieces; p++) steps[p] = (knots[p + 1] - knots[p]) * (1.0 / STEP);
}

// Eight frames at a time are one vector with AVX-512 and two with AVX2, which keeps all values in registers.
BODY void mix_stretches(
  const float *left, const float *right, size_t pieces, const double *common_knots, double constant,
  const double *left_knots, const double *right_knots, double left_factor, double right_factor,
  float *restrict target_left, float *restrict target_right) {
  double common_steps[STRETCHES], left_steps[STRETCHES], right_steps[STRETCHES];
  read_steps(common_knots, pieces, common_steps);
  read_steps(left_knots, pieces, left_steps);
  read_steps(right_knots, pieces, right_steps);
  for (size_t p = 0; p < pieces; p++) {
#pragma clang loop unroll(full)
    for (int k = 0; k < STEP; k += 8) {
      const size_t i = STEP * p + (size_t)k;
      const EightDoubles frames = (double)k + (EightDoubles){0, 1, 2, 3, 4, 5, 6, 7};
      const EightDoubles products = (common_knots[p] + frames * common_steps[p]) * constant;
      const EightDoubles left_gains =
        left_knots ? products * (left_knots[p] + frames * left_steps[p]) : products * left_factor;
      const EightDoubles right_gains =
        right_knots ? products * (right_knots[p] + frames * right_steps[p]) : products * right_factor;
      *(EightFloats *)(target_left + i) +=
        *(const EightFloats *)(left + i) * __builtin_convertvector(left_gains, EightFloats);
      *(EightFloats *)(target_right + i) +=
        *(const EightFloats *)(right + i) * __builtin_convertvector(right_gains, EightFloats);
    }
  }
}

// The same where the common factor is itself a line, times a constant.
BODY void mix_along_common_line_body(
  const float *left, const float *right, size_t pieces, const double *common_knots, double constant,
  const double *left_knots, const double *right_knots, double left_factor, double right_factor,
  float *restrict target_left, float *restrict target_right) {
  for (size_t p = 0; p < pieces; p += STRETCHES) {
    const size_t i = STEP * p, count = pieces - p < STRETCHES ? pieces - p : STRETCHES;
    const double *l = left_knots ? left_knots + p : 0, *r = right_knots ? right_knots + p : 0;
    // The usual cases get loops of their own: lanes of the volume and the pan, and of the volume alone.
    if (l && r && constant == 1) {
      mix_stretches(left + i, right + i, count, common_knots + p, 1, l, r, 1, 1, target_left + i, target_right + i);
    } else if (!l && !r) {
      mix_stretches(
        left + i, right + i, count, common_knots + p, constant, 0, 0, left_factor, right_factor, target_left + i,
        target_right + i);
    } else {
      mix_stretches(
        left + i, right + i, count, common_knots + p, constant, l, r, left_factor, right_factor, target_left + i,
        target_right + i);
    }
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
  double from, double to, double first, double share, size_t count, double *restrict values) {
  double change = to - from;
  // In 32 bits, whose conversion is a vector instruction.
  for (int k = 0; k < (int)count; k++) values[k] = from + change * ((first + (double)(STEP * k)) * share);
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
  fill_knots, (double from, double to, double first, double share, size_t count, double *values), from, to, first, share,
  count, values)
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
  daw_sample_path path, double from, double to, double first, double share, size_t count, double *values) {
  ON_PATH(path, fill_knots, from, to, first, share, count, values);
}

void daw_powers_of_two(daw_sample_path path, size_t count, double *values) {
  ON_PATH(path, powers_of_two, count, values);
}

void daw_pan_gains(daw_sample_path path, daw_pan_law law, double factor, size_t count, double *values) {
  ON_PATH(path, pan_gains, law, factor, count, values);
}
