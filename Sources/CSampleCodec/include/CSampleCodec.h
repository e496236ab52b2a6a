// CSampleCodec: samples as they lie in a file, and as the engine computes with them: the inner loops that Swift leaves
// too slow. Every path gives the same bits: an integer becomes the Float that is nearest to it, and that is multiplied
// once. Each function is safe on the audio thread; the attribute vouches for it.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define DAW_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// How samples lie in a file: little-endian, packed.
typedef enum {
  DAW_SAMPLE_U8,
  DAW_SAMPLE_S16,
  DAW_SAMPLE_S24,
  DAW_SAMPLE_S32,
  DAW_SAMPLE_F32,
  DAW_SAMPLE_F64,
} daw_sample_format;

/// Which instructions may be used. A processor that has a path has those before it.
typedef enum {
  /// What every processor of the architecture has.
  DAW_PATH_PORTABLE,
  /// AVX2 (x86-64).
  DAW_PATH_AVX2,
  /// AVX-512 with VBMI (x86-64).
  DAW_PATH_AVX512,
} daw_sample_path;

/// The best path that this processor has. Any thread; the answer never changes.
daw_sample_path daw_best_path(void);

/// Asks for memory that will be read soon, so that it is on its way into the processor's caches meanwhile. Changes nothing; any
/// address will do.
/// - Parameter count: in bytes.
DAW_NO_LOCKS static inline void daw_fetch_ahead(const void *_Nonnull bytes, size_t count) {
  for (size_t i = 0; i < count; i += 64) __builtin_prefetch((const char *)bytes + i);
}

/// Makes floats of packed samples: `out[i] = (sample i, full scale ±1) × gain`, one multiplication each.
/// A sample that is NaN or infinite, or too great for a float, gives 0.
/// - Parameters:
///   - bytes: `count` samples of `format`; any alignment.
///   - gain: linear, finite; 0 or at least 2^-64 in magnitude, so that folding the scale into it is exact.
///   - out: room for `count` floats.
/// - Returns: how many samples were not finite.
DAW_NO_LOCKS size_t daw_unpack(
  daw_sample_path path, daw_sample_format format, const void *_Nonnull bytes, size_t count, float gain,
  float *_Nonnull out);

/// Adds packed samples of one channel to two sides, without a stop in memory between: with x = what `daw_unpack` makes of
/// sample i, `left[i] += x × leftGain` and `right[i] += x × rightGain`, each product and each sum rounded once.
/// - Parameters:
///   - leftGain: linear, finite.
///   - rightGain: likewise.
///   - left: `count` floats, apart from `right` and `bytes`.
///   - right: likewise.
/// - Returns: how many samples were not finite.
DAW_NO_LOCKS size_t daw_add_to_both(
  daw_sample_path path, daw_sample_format format, const void *_Nonnull bytes, size_t count, float gain, float leftGain,
  float rightGain, float *_Nonnull left, float *_Nonnull right);

/// Makes packed samples of floats: times 2^(bits−1), to the nearest integer, ties to even, held within the range. What is not a
/// number gives 0.
/// - Parameters:
///   - format: `DAW_SAMPLE_S16` or `DAW_SAMPLE_S24`.
///   - samples: full scale ±1; any alignment.
///   - bytes: room for `count` samples, any alignment.
/// - Returns: how many samples were beyond the range when rounded, or not a number.
DAW_NO_LOCKS size_t daw_pack(
  daw_sample_path path, daw_sample_format format, const float *_Nonnull samples, size_t count, void *_Nonnull bytes);

/// Looks at how great samples are.
/// - Parameters:
///   - beyond: how many magnitudes above 1 there are is put there.
/// - Returns: the bits of the greatest magnitude, 0 for no samples. Magnitudes are in the order of their bits, NaN above
///   all.
DAW_NO_LOCKS uint32_t daw_greatest_magnitude(
  daw_sample_path path, const float *_Nonnull samples, size_t count, size_t *_Nonnull beyond);

/// Adds sample i to `sums[(first + i) % 8]`, in order, so that pieces give the same sums as the whole.
/// - Parameters:
///   - first: number of the first sample.
///   - sums: eight.
DAW_NO_LOCKS void daw_add_to_eight_sums(
  daw_sample_path path, const float *_Nonnull samples, size_t count, size_t first, double *_Nonnull sums);
