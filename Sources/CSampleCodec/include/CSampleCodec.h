// CSampleCodec: conversion between samples in files and floats, and other inner loops that are too slow in Swift. Every
// path gives the same bits: an integer is converted to the nearest Float, which is multiplied once. Functions marked
// DAW_NO_LOCKS are safe on the audio thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

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

/// √x, correctly rounded, for x ≥ 0. Swift's own is not marked as safe on the audio thread.
DAW_NO_LOCKS static inline double daw_square_root(double x) { return __builtin_sqrt(x); }

/// Converts packed samples to floats: `out[i] = (sample i, full scale ±1) × gain`, one multiplication each.
/// A sample that is NaN, infinite or out of the range of a float becomes 0.
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
