// CSampleCodec: conversion between samples in files and floats, and other inner loops that are too slow in Swift: those of
// mixing, curves and effects. Every path gives the same bits: each product and each sum is rounded once, in a fixed order.
// Functions marked DAW_NO_LOCKS are safe on the audio thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

// A product is rounded before anything is added to it, on every processor, here and in all that includes this.
#pragma STDC FP_CONTRACT OFF

#define DAW_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// Encodings of samples in files: little-endian, packed.
typedef enum {
  DAW_SAMPLE_U8,
  DAW_SAMPLE_S16,
  DAW_SAMPLE_S24,
  DAW_SAMPLE_S32,
  DAW_SAMPLE_F32,
  DAW_SAMPLE_F64,
} daw_sample_format;

/// Vector instructions to use. A processor that supports a path supports those before it.
typedef enum {
  /// The architecture's baseline.
  DAW_PATH_PORTABLE,
  /// AVX2 (x86-64).
  DAW_PATH_AVX2,
  /// AVX-512 with VBMI (x86-64).
  DAW_PATH_AVX512,
} daw_sample_path;

/// The best path that this processor supports. Any thread; constant.
daw_sample_path daw_best_path(void);

/// Prefetches memory that will be read soon. Any address is allowed.
/// - Parameter count: bytes.
DAW_NO_LOCKS static inline void daw_fetch_ahead(const void *_Nonnull bytes, size_t count) {
  for (size_t i = 0; i < count; i += 64) __builtin_prefetch((const char *)bytes + i);
}

/// Converts packed samples to floats: `out[i] = (sample i, full scale ±1) × gain`, one multiplication each.
/// A sample that is NaN, infinite or out of the range of a float becomes 0, and −0 becomes +0.
/// - Parameters:
///   - bytes: `count` samples of `format`; any alignment.
///   - gain: linear, finite; 0 or at least 2^-64 in magnitude, so that folding the scale into it is exact.
///   - out: room for `count` floats.
/// - Returns: how many samples were not finite.
DAW_NO_LOCKS size_t daw_unpack(
  daw_sample_path path, daw_sample_format format, const void *_Nonnull bytes, size_t count, float gain,
  float *_Nonnull out);

/// Unpacks samples of one channel and adds them to two sides in one pass: with x = sample i as converted by `daw_unpack`,
/// `left[i] += x × leftGain` and `right[i] += x × rightGain`, each product and each sum rounded once.
/// - Parameters:
///   - leftGain: linear, finite.
///   - rightGain: likewise.
///   - left: `count` floats; must not overlap `right` or `bytes`.
///   - right: likewise.
/// - Returns: how many samples were not finite.
DAW_NO_LOCKS size_t daw_add_to_both(
  daw_sample_path path, daw_sample_format format, const void *_Nonnull bytes, size_t count, float gain, float leftGain,
  float rightGain, float *_Nonnull left, float *_Nonnull right);

/// Converts floats to packed integers: times 2^(bits−1), rounded to nearest, ties to even, clipped to the range. NaN
/// becomes 0.
/// - Parameters:
///   - format: `DAW_SAMPLE_S16` or `DAW_SAMPLE_S24`.
///   - samples: full scale ±1; any alignment.
///   - bytes: room for `count` samples, any alignment.
/// - Returns: samples that were out of range after rounding, or NaN.
DAW_NO_LOCKS size_t daw_pack(
  daw_sample_path path, daw_sample_format format, const float *_Nonnull samples, size_t count, void *_Nonnull bytes);

/// Finds the peak, and counts samples beyond full scale.
/// - Parameters:
///   - beyond: set to the number of magnitudes above 1.
/// - Returns: the bit pattern of the greatest magnitude, 0 for no samples. Bit patterns order like magnitudes, with NaN
///   above all.
DAW_NO_LOCKS uint32_t daw_greatest_magnitude(
  daw_sample_path path, const float *_Nonnull samples, size_t count, size_t *_Nonnull beyond);

/// Adds sample i to `sums[(first + i) % 8]`, in order, so that the sums do not depend on how samples are cut into pieces.
/// - Parameters:
///   - first: the number of the first sample.
///   - sums: eight.
DAW_NO_LOCKS void daw_add_to_eight_sums(
  daw_sample_path path, const float *_Nonnull samples, size_t count, size_t first, double *_Nonnull sums);

// MARK: Mixing

/// Adds two sides with a gain each: `targetLeft[i] += left[i] × leftGain`, and likewise on the right.
/// - Parameters:
///   - right: may be `left`.
///   - targetLeft: `count` floats; overlaps nothing else. Likewise `targetRight`.
DAW_NO_LOCKS void daw_mix(
  daw_sample_path path, const float *_Nonnull left, const float *_Nonnull right, size_t count, float leftGain,
  float rightGain, float *_Nonnull targetLeft, float *_Nonnull targetRight);

/// Frames from one knot of a curve to the next.
enum { DAW_KNOT_FRAMES = 16 };

/// Values of a curve: straight from knot to knot, `values[16 p + k] = knots[p] + k × (knots[p + 1] − knots[p]) ÷ 16`.
/// - Parameters:
///   - pieces: stretches of 16 frames.
///   - knots: `pieces` + 1.
DAW_NO_LOCKS void daw_fill_lines(
  daw_sample_path path, const double *_Nonnull knots, size_t pieces, double *_Nonnull values);

/// `values[i] ×=` what `daw_fill_lines` gives for i.
DAW_NO_LOCKS void daw_multiply_by_lines(
  daw_sample_path path, const double *_Nonnull knots, size_t pieces, double *_Nonnull values);

/// Adds two sides with gains that move: the gain of a side at frame i is `(float)(common[i] × c)`, where c is `leftKnots`
/// (`rightKnots`) straight from knot to knot, or `leftFactor` (`rightFactor`) if they are null.
/// - Parameters:
///   - right: may be `left`.
///   - pieces: stretches of 16 frames.
DAW_NO_LOCKS void daw_mix_along_lines(
  daw_sample_path path, const float *_Nonnull left, const float *_Nonnull right, size_t pieces,
  const double *_Nonnull common, const double *_Nullable leftKnots, const double *_Nullable rightKnots,
  double leftFactor, double rightFactor, float *_Nonnull targetLeft, float *_Nonnull targetRight);

/// The same where `common[i]` is `commonKnots` straight from knot to knot, times a constant.
DAW_NO_LOCKS void daw_mix_along_common_line(
  daw_sample_path path, const float *_Nonnull left, const float *_Nonnull right, size_t pieces,
  const double *_Nonnull commonKnots, double constant, const double *_Nullable leftKnots,
  const double *_Nullable rightKnots, double leftFactor, double rightFactor, float *_Nonnull targetLeft,
  float *_Nonnull targetRight);

/// A curve's values in a stretch of 16 frames with a point inside: straight up to it, and straight on.
typedef struct {
  /// At frame k before the bend: `value + k × step`.
  double value, step;
  /// From frame `bend` on: `bentValue + (k − bend) × bentStep`; 16 for a line that has none.
  double bentValue, bentStep;
  int bend;
} daw_bent_line;

/// Adds 16 frames of two sides: the gain of a side is `(float)((common × constant) × line)`.
/// - Parameter right: may be `left`.
DAW_NO_LOCKS void daw_mix_along_bent_lines(
  daw_sample_path path, const float *_Nonnull left, const float *_Nonnull right, const daw_bent_line *_Nonnull common,
  double constant, const daw_bent_line *_Nonnull leftLine, const daw_bent_line *_Nonnull rightLine,
  float *_Nonnull targetLeft, float *_Nonnull targetRight);

// MARK: Knots

/// 2ˣ, within 2 × 10⁻¹⁵ of it, relatively; by +, − and × alone.
/// - Parameter x: clamped to −1,000 … 1,000.
DAW_NO_LOCKS static inline double daw_power_of_two(double x) {
  x = x > -1000 ? (x < 1000 ? x : 1000) : -1000;
  // Adding and subtracting 1.5 × 2⁵² rounds to the nearest integer, which lies in the lowest bits of the sum.
  double shifted = x + 0x1.8p52, y = (x - (shifted - 0x1.8p52)) * 0.6931471805599453;
  int64_t bits;
  __builtin_memcpy(&bits, &shifted, sizeof bits);
  bits = (bits - (0x4338000000000000 - 1023)) * 0x10000000000000;
  double scale;
  __builtin_memcpy(&scale, &bits, sizeof scale);
  // 1 + y + y²/2! + … + y¹³/13!
  double y4 = y * y * y * y;
  double a = 1.0 / 5040 + y * (1.0 / 40320 + y * (1.0 / 362880 + y * (1.0 / 3628800)));
  double b = 1.0 / 39916800 + y * (1.0 / 479001600 + y * (1.0 / 6227020800));
  double c = 1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120 + y * (1.0 / 720)));
  return (1 + y * (1 + y * (0.5 + y * (c + y4 * (a + y4 * b))))) * scale;
}

/// log₂ x, within 10⁻¹³, for a normal number x > 0; by +, −, ×, ÷ and exact scaling of exponents alone.
DAW_NO_LOCKS static inline double daw_logarithm(double x) {
  // x = m × 2^k with m from √½ to √2; k, raised by 1,024, lies in the upper bits.
  uint64_t bits, scaled;
  __builtin_memcpy(&bits, &x, sizeof bits);
  uint64_t raised = (bits + (0x4000000000000000 - 0x3fe6a09e667f3bcd)) >> 52;
  scaled = bits - ((raised - 1024) << 52);
  double m, k;
  __builtin_memcpy(&m, &scaled, sizeof m);
  // As the lowest bits of 2⁵², k is converted by a subtraction.
  raised |= 0x4330000000000000;
  __builtin_memcpy(&k, &raised, sizeof k);
  k -= 0x1p52 + 1024;
  // log₂ m = 2 ÷ ln 2 × artanh s
  double s = (m - 1) / (m + 1), u = s * s, u2 = u * u;
  double low = (2.8853900817779268 + 0.9617966939259756 * u) + u2 * (0.5770780163555854 + 0.4121985831111324 * u);
  double high =
    (0.3205988979753252 + 0.2623081892525388 * u) + u2 * (0.22195308321368667 + 0.19235933878518513 * u);
  return k + s * (low + u2 * u2 * high);
}

/// sin(πu/2) for u from 0 to 1, within 10⁻¹⁵; by +, − and × alone.
DAW_NO_LOCKS static inline double daw_quarter_sine(double u) {
  double t = u * 1.5707963267948966, s = t * t, s4 = s * s * s * s;
  // t − t³/3! + t⁵/5! − … + t²¹/21!
  double a = 1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880 - s * (1.0 / 39916800)));
  double b = 1.0 / 6227020800 -
             s * (1.0 / 1307674368000 - s * (1.0 / 355687428096000 - s * (1.0 / 121645100408832000)));
  double sine = t * (1 - s * (1.0 / 6 - s * (a + s4 * (b + s4 * (1.0 / 51090942171709440000.0)))));
  return sine < 1 ? sine : 1;
}

/// How the gain of a side follows from its share u, 0 … 1.
typedef enum {
  /// sin(πu/2)
  DAW_PAN_CONSTANT_POWER,
  /// u
  DAW_PAN_LINEAR,
  /// √(u sin(πu/2))
  DAW_PAN_COMPROMISE,
  /// min(1, 2u)
  DAW_PAN_BALANCE,
} daw_pan_law;

/// The gain of a side.
/// - Parameter u: clamped to 0 … 1.
DAW_NO_LOCKS static inline double daw_pan_gain(daw_pan_law law, double u) {
  u = u > 0 ? (u < 1 ? u : 1) : 0;
  switch (law) {
  case DAW_PAN_CONSTANT_POWER: return daw_quarter_sine(u);
  case DAW_PAN_LINEAR: return u;
  case DAW_PAN_COMPROMISE: return __builtin_elementwise_sqrt(u * daw_quarter_sine(u));
  case DAW_PAN_BALANCE: return 2 * u < 1 ? 2 * u : 1;
  }
  return u;
}

/// Points on a straight line: `values[k] = from + (to − from) × ((first + 16 k) × share)`.
/// - Parameters:
///   - first: frames from the line's beginning to the first value.
///   - share: what a frame is of the line, 1 ÷ its length.
DAW_NO_LOCKS void daw_fill_knots(
  daw_sample_path path, double from, double to, double first, double share, size_t count, double *_Nonnull values);

/// Each value as `daw_power_of_two`.
DAW_NO_LOCKS void daw_powers_of_two(daw_sample_path path, size_t count, double *_Nonnull values);

/// Each value v as `daw_pan_gain` of 0.5 + v × factor.
DAW_NO_LOCKS void daw_pan_gains(
  daw_sample_path path, daw_pan_law law, double factor, size_t count, double *_Nonnull values);

// MARK: Effects

/// Samples as effects compute with them: `values[i]` is sample i, or 0 if that is NaN, infinite, beyond 2⁶⁴ or below 2⁻¹²⁶.
DAW_NO_LOCKS void daw_read_heard(
  daw_sample_path path, const float *_Nonnull samples, size_t count, double *_Nonnull values);

/// The nearest floats of `values`; 0 below 2⁻¹²⁶, whether the processor flushes denormals or not.
DAW_NO_LOCKS void daw_write_values(
  daw_sample_path path, const double *_Nonnull values, size_t count, float *_Nonnull samples);

/// `daw_write_values` of `signal[i] × (dry + wet × gains[i])`.
DAW_NO_LOCKS void daw_write_product(
  daw_sample_path path, const double *_Nonnull signal, const double *_Nonnull gains, double dry, double wet, size_t count,
  float *_Nonnull samples);

/// Magnitudes to levels: each value becomes `factor × log₂ max(value, least)`.
DAW_NO_LOCKS void daw_measure_levels(
  daw_sample_path path, double least, double factor, size_t count, double *_Nonnull values);

/// The levels of linked sides, of which `values` holds the left one: `values[i]` becomes
/// log₂ max(|values[i]|, |right[i]|, least).
/// - Parameter right: overlaps nothing.
DAW_NO_LOCKS void daw_measure_peaks(
  daw_sample_path path, const double *_Nonnull right, double least, size_t count, double *_Nonnull values);

/// Levels to how far they are to be lowered: the gain computer's input minus its output, with a soft knee. All in powers of
/// two.
/// - Parameters:
///   - kneeFactor: 1 ÷ (2 × knee), 0 without one.
///   - slope: 1 − 1 ÷ ratio.
/// - SeeAlso: Giannoulis, Massberg, Reiss: Digital Dynamic Range Compressor Design, equation 4.
DAW_NO_LOCKS void daw_reduce_levels(
  daw_sample_path path, double threshold, double halfKnee, double kneeFactor, double slope, size_t count,
  double *_Nonnull values);

/// Sends samples through four second-order sections in series, in place; Swift's `FilterSection` says what they compute. A
/// section with `direct` 1 and the others 0 changes nothing.
/// - Parameters:
///   - coefficients: 24: of each of the sections `turn`, then of each `swing`, `follow`, `direct`, `band`, and `low`.
///   - states: 16: of the left side, of each of the sections the first, then of each the second; then of the right side.
///   - right: null for a mono signal; the right side's states then stay as they are.
DAW_NO_LOCKS void daw_filter(
  daw_sample_path path, const double *_Nonnull coefficients, double *_Nonnull states, size_t count,
  double *_Nonnull left, double *_Nullable right);
