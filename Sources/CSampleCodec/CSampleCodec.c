#include "CSampleCodec.h"

#include <string.h>

// The product is rounded before anything is added to it, on every processor.
#pragma STDC FP_CONTRACT OFF

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Samples are read as they lie in memory, which must be little-endian."
#endif

// Full scale is a power of two, so that multiplying the gain by it rounds nothing.
static const float scale_u8 = 0x1p-7f, scale_s16 = 0x1p-15f, scale_s24 = 0x1p-23f, scale_s32 = 0x1p-31f;

// One body for each format, compiled once for every path that the compiler vectorises well by itself.
#define BODY static inline __attribute__((always_inline))

BODY void unpack_u8(const uint8_t *bytes, size_t count, float gain, float *out) {
  float scale = scale_u8 * gain;
  for (size_t i = 0; i < count; i++) out[i] = (float)((int32_t)bytes[i] - 128) * scale;
}

BODY void unpack_s16(const uint8_t *bytes, size_t count, float gain, float *out) {
  float scale = scale_s16 * gain;
  for (size_t i = 0; i < count; i++) {
    int16_t sample;
    memcpy(&sample, bytes + 2 * i, sizeof sample);
    out[i] = (float)sample * scale;
  }
}

BODY void unpack_s24(const uint8_t *bytes, size_t count, float gain, float *out) {
  float scale = scale_s24 * gain;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *b = bytes + 3 * i;
    uint32_t bits = (uint32_t)b[0] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 24;
    out[i] = (float)((int32_t)bits >> 8) * scale;
  }
}

BODY void unpack_s32(const uint8_t *bytes, size_t count, float gain, float *out) {
  float scale = scale_s32 * gain;
  for (size_t i = 0; i < count; i++) {
    int32_t sample;
    memcpy(&sample, bytes + 4 * i, sizeof sample);
    out[i] = (float)sample * scale;
  }
}

static const uint32_t magnitude_bits = 0x7fffffffu, infinity_bits = 0x7f800000u;

// Clears the bits of a float that is not finite, and counts it.
BODY float finite_or_zero(float value, uint32_t *invalid) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t is_finite = (bits & magnitude_bits) < infinity_bits;
  *invalid += 1 - is_finite;
  bits &= 0 - is_finite;
  memcpy(&value, &bits, sizeof value);
  return value;
}

BODY size_t unpack_f32(const uint8_t *bytes, size_t count, float gain, float *out) {
  uint32_t invalid = 0;
  for (size_t i = 0; i < count; i++) {
    float sample;
    memcpy(&sample, bytes + 4 * i, sizeof sample);
    out[i] = finite_or_zero(sample, &invalid) * gain;
  }
  return invalid;
}

BODY size_t unpack_f64(const uint8_t *bytes, size_t count, float gain, float *out) {
  uint32_t invalid = 0;
  for (size_t i = 0; i < count; i++) {
    double sample;
    memcpy(&sample, bytes + 8 * i, sizeof sample);
    out[i] = finite_or_zero((float)sample, &invalid) * gain;
  }
  return invalid;
}

BODY size_t unpack_body(daw_sample_format format, const void *bytes, size_t count, float gain, float *out) {
  switch (format) {
  case DAW_SAMPLE_U8: unpack_u8(bytes, count, gain, out); return 0;
  case DAW_SAMPLE_S16: unpack_s16(bytes, count, gain, out); return 0;
  case DAW_SAMPLE_S24: unpack_s24(bytes, count, gain, out); return 0;
  case DAW_SAMPLE_S32: unpack_s32(bytes, count, gain, out); return 0;
  case DAW_SAMPLE_F32: return unpack_f32(bytes, count, gain, out);
  case DAW_SAMPLE_F64: return unpack_f64(bytes, count, gain, out);
  }
  return 0;
}

static const size_t bytes_per_sample[] = {1, 2, 3, 4, 4, 8};

// By way of a few floats on the stack, which stay in the first-level cache.
BODY size_t add_to_both_body(
  daw_sample_format format, const uint8_t *bytes, size_t count, float gain, float left_gain, float right_gain,
  float *restrict left, float *restrict right) {
  float samples[512];
  size_t invalid = 0;
  for (size_t done = 0; done < count;) {
    size_t n = count - done < 512 ? count - done : 512;
    invalid += unpack_body(format, bytes + done * bytes_per_sample[format], n, gain, samples);
    for (size_t i = 0; i < n; i++) {
      left[done + i] += samples[i] * left_gain;
      right[done + i] += samples[i] * right_gain;
    }
    done += n;
  }
  return invalid;
}

static size_t add_to_both_portable(
  daw_sample_format format, const void *bytes, size_t count, float gain, float left_gain, float right_gain, float *left,
  float *right) {
  return add_to_both_body(format, bytes, count, gain, left_gain, right_gain, left, right);
}

static size_t unpack_portable(daw_sample_format format, const void *bytes, size_t count, float gain, float *out) {
  return unpack_body(format, bytes, count, gain, out);
}

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

// Eight samples: each half of a vector takes twelve bytes, which are spread so that every sample fills the upper three
// bytes of its lane; an arithmetic shift then extends its sign. Reads 28 bytes.
AVX2 static inline __m256 eight_s24(const uint8_t *bytes, __m256 scale) {
  const __m256i spread = _mm256_setr_epi8(
    -1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11,
    -1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11);
  __m256i packed = _mm256_inserti128_si256(
    _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)bytes)), _mm_loadu_si128((const __m128i *)(bytes + 12)), 1);
  return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_shuffle_epi8(packed, spread), 8)), scale);
}

AVX2 static void unpack_s24_avx2(const uint8_t *bytes, size_t count, float gain, float *out) {
  const __m256 scale = _mm256_set1_ps(scale_s24 * gain);
  size_t i = 0;
  // Four bytes beyond the eight samples are read, so two samples more must be there.
  for (; i + 10 <= count; i += 8) _mm256_storeu_ps(out + i, eight_s24(bytes + 3 * i, scale));
  unpack_s24(bytes + 3 * i, count - i, gain, out + i);
}

AVX2 static size_t add_to_both_avx2(
  daw_sample_format format, const void *packed, size_t count, float gain, float left_gain, float right_gain,
  float *left, float *right) {
  const uint8_t *bytes = packed;
  size_t i = 0;
  if (format == DAW_SAMPLE_S24) {
    const __m256 scale = _mm256_set1_ps(scale_s24 * gain);
    const __m256 left_gains = _mm256_set1_ps(left_gain), right_gains = _mm256_set1_ps(right_gain);
    for (; i + 10 <= count; i += 8) {
      __m256 x = eight_s24(bytes + 3 * i, scale);
      _mm256_storeu_ps(left + i, _mm256_add_ps(_mm256_loadu_ps(left + i), _mm256_mul_ps(x, left_gains)));
      _mm256_storeu_ps(right + i, _mm256_add_ps(_mm256_loadu_ps(right + i), _mm256_mul_ps(x, right_gains)));
    }
  }
  return add_to_both_body(
    format, bytes + i * bytes_per_sample[format], count - i, gain, left_gain, right_gain, left + i, right + i);
}

AVX2 static size_t unpack_avx2(daw_sample_format format, const void *bytes, size_t count, float gain, float *out) {
  if (format == DAW_SAMPLE_S24) {
    unpack_s24_avx2(bytes, count, gain, out);
    return 0;
  }
  return unpack_body(format, bytes, count, gain, out);
}

daw_sample_path daw_best_path(void) {
  return __builtin_cpu_supports("avx2") ? DAW_PATH_AVX2 : DAW_PATH_PORTABLE;
}

#else

static size_t unpack_avx2(daw_sample_format format, const void *bytes, size_t count, float gain, float *out) {
  return unpack_portable(format, bytes, count, gain, out);
}

static size_t add_to_both_avx2(
  daw_sample_format format, const void *bytes, size_t count, float gain, float left_gain, float right_gain, float *left,
  float *right) {
  return add_to_both_portable(format, bytes, count, gain, left_gain, right_gain, left, right);
}

daw_sample_path daw_best_path(void) { return DAW_PATH_PORTABLE; }

#endif

size_t daw_unpack(
  daw_sample_path path, daw_sample_format format, const void *bytes, size_t count, float gain, float *out) {
  switch (path) {
  case DAW_PATH_PORTABLE: return unpack_portable(format, bytes, count, gain, out);
  case DAW_PATH_AVX2: return unpack_avx2(format, bytes, count, gain, out);
  }
  return 0;
}

size_t daw_add_to_both(
  daw_sample_path path, daw_sample_format format, const void *bytes, size_t count, float gain, float leftGain,
  float rightGain, float *left, float *right) {
  switch (path) {
  case DAW_PATH_PORTABLE:
    return add_to_both_portable(format, bytes, count, gain, leftGain, rightGain, left, right);
  case DAW_PATH_AVX2: return add_to_both_avx2(format, bytes, count, gain, leftGain, rightGain, left, right);
  }
  return 0;
}
