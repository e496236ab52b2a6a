#include <string.h>

#include "Paths.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Samples are read as they lie in memory, which must be little-endian."
#endif

// Full scale is a power of two, so that multiplying the gain by it rounds nothing.
static const float scale_u8 = 0x1p-7f, scale_s16 = 0x1p-15f, scale_s24 = 0x1p-23f, scale_s32 = 0x1p-31f;

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
    out[i] = finite_or_zero(sample, &invalid) * gain + 0.0f;
  }
  return invalid;
}

BODY size_t unpack_f64(const uint8_t *bytes, size_t count, float gain, float *out) {
  uint32_t invalid = 0;
  for (size_t i = 0; i < count; i++) {
    double sample;
    memcpy(&sample, bytes + 8 * i, sizeof sample);
    out[i] = finite_or_zero((float)sample, &invalid) * gain + 0.0f;
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

BODY uint32_t greatest_magnitude_body(const float *samples, size_t count, size_t *beyond) {
  static const int32_t full_scale_bits = 0x3f800000;
  int32_t greatest = 0;
  size_t all_beyond = 0;
  // A run's count fits into 32 bits, of which a vector holds twice as many as of 64.
  for (size_t done = 0; done < count;) {
    size_t n = count - done < 1u << 30 ? count - done : 1u << 30;
    uint32_t run_beyond = 0;
    for (size_t i = 0; i < n; i++) {
      int32_t bits;
      memcpy(&bits, samples + done + i, sizeof bits);
      bits &= (int32_t)magnitude_bits;
      greatest = bits > greatest ? bits : greatest;
      run_beyond += bits > full_scale_bits;
    }
    all_beyond += run_beyond;
    done += n;
  }
  *beyond = all_beyond;
  return (uint32_t)greatest;
}

BODY void add_to_eight_sums_body(const float *samples, size_t count, size_t first, double *restrict sums) {
  size_t i = 0;
  for (; i < count && (first + i) % 8 != 0; i++) sums[(first + i) % 8] += samples[i];
  double lanes[8];
  memcpy(lanes, sums, sizeof lanes);
  for (; i + 8 <= count; i += 8) {
    for (size_t lane = 0; lane < 8; lane++) lanes[lane] += samples[i + lane];
  }
  memcpy(sums, lanes, sizeof lanes);
  for (; i < count; i++) sums[(first + i) % 8] += samples[i];
}

static size_t add_to_both_portable(
  daw_sample_format format, const void *bytes, size_t count, float gain, float left_gain, float right_gain, float *left,
  float *right) {
  return add_to_both_body(format, bytes, count, gain, left_gain, right_gain, left, right);
}

// A double beside this one has no bits below 1 and keeps all above, so that adding it rounds, ties to even: H. S. Warren,
// Hacker's Delight, 2nd edition, chapter 17.
static const double rounding_shift = 0x1.8p52;

BODY size_t pack_body(daw_sample_format format, const float *samples, size_t count, uint8_t *bytes) {
  const double scale = format == DAW_SAMPLE_S16 ? 0x1p15 : 0x1p23;
  size_t size = bytes_per_sample[format], clipped = 0;
  for (size_t i = 0; i < count; i++) {
    double rounded = ((double)samples[i] * scale + rounding_shift) - rounding_shift;
    double held = rounded > scale - 1 ? scale - 1 : rounded < -scale ? -scale : rounded == rounded ? rounded : 0;
    clipped += held != rounded;
    int32_t sample = (int32_t)held;
    memcpy(bytes + size * i, &sample, size);
  }
  return clipped;
}

static size_t pack_portable(daw_sample_format format, const float *samples, size_t count, uint8_t *bytes) {
  return pack_body(format, samples, count, bytes);
}

static size_t unpack_portable(daw_sample_format format, const void *bytes, size_t count, float gain, float *out) {
  return unpack_body(format, bytes, count, gain, out);
}

static uint32_t greatest_magnitude_portable(const float *samples, size_t count, size_t *beyond) {
  return greatest_magnitude_body(samples, count, beyond);
}

static void add_to_eight_sums_portable(const float *samples, size_t count, size_t first, double *sums) {
  add_to_eight_sums_body(samples, count, first, sums);
}

#if defined(__x86_64__)

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

AVX2 static uint32_t greatest_magnitude_avx2(const float *samples, size_t count, size_t *beyond) {
  return greatest_magnitude_body(samples, count, beyond);
}

AVX2 static void add_to_eight_sums_avx2(const float *samples, size_t count, size_t first, double *sums) {
  add_to_eight_sums_body(samples, count, first, sums);
}

// Eight samples, rounded and held within the range; those that were beyond it, or are not numbers, are counted. A float times
// a power of two is exact, and so are the bounds: half a step above the greatest integer rounds up to one too many.
AVX2 static inline __m256i eight_integers(const float *samples, __m256 scale, __m256 low, __m256 high, size_t *clipped) {
  const __m256 half = _mm256_set1_ps(0.5f);
  __m256 x = _mm256_mul_ps(_mm256_loadu_ps(samples), scale);
  __m256 is_number = _mm256_cmp_ps(x, x, _CMP_ORD_Q);
  __m256 above = _mm256_cmp_ps(x, _mm256_add_ps(high, half), _CMP_GE_OQ);
  // Where floats are a whole step apart, half of one below the least integer is that integer.
  __m256 below = _mm256_cmp_ps(x, _mm256_sub_ps(low, half), _CMP_LT_OQ);
  __m256 held = _mm256_and_ps(_mm256_min_ps(_mm256_max_ps(x, low), high), is_number);
  __m256 beyond = _mm256_or_ps(_mm256_or_ps(above, below), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
  *clipped += (size_t)__builtin_popcount((unsigned)_mm256_movemask_ps(beyond));
  return _mm256_cvtps_epi32(held);
}

AVX2 static size_t pack_avx2(daw_sample_format format, const float *samples, size_t count, uint8_t *bytes) {
  size_t i = 0, clipped = 0;
  if (format == DAW_SAMPLE_S24) {
    const __m256 scale = _mm256_set1_ps(0x1p23f), low = _mm256_set1_ps(-0x1p23f), high = _mm256_set1_ps(0x1p23f - 1);
    const __m256i gather = _mm256_setr_epi8(
      0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    // Four bytes beyond the eight samples are written, where the next two will lie.
    for (; i + 10 <= count; i += 8) {
      __m256i packed = _mm256_shuffle_epi8(eight_integers(samples + i, scale, low, high, &clipped), gather);
      _mm_storeu_si128((__m128i *)(bytes + 3 * i), _mm256_castsi256_si128(packed));
      _mm_storeu_si128((__m128i *)(bytes + 3 * i + 12), _mm256_extracti128_si256(packed, 1));
    }
  } else {
    const __m256 scale = _mm256_set1_ps(0x1p15f), low = _mm256_set1_ps(-0x1p15f), high = _mm256_set1_ps(0x1p15f - 1);
    for (; i + 8 <= count; i += 8) {
      __m256i x = eight_integers(samples + i, scale, low, high, &clipped);
      __m128i packed = _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
      _mm_storeu_si128((__m128i *)(bytes + 2 * i), packed);
    }
  }
  return clipped + pack_body(format, samples + i, count - i, bytes + bytes_per_sample[format] * i);
}

// Where the bytes of sixteen packed samples go, one sample to a lane, in its upper three bytes. Byte 63 is 0, since only
// 48 are loaded.
static const uint8_t spread_s24[64] __attribute__((aligned(64))) = {
  63, 0,  1,  2,  63, 3,  4,  5,  63, 6,  7,  8,  63, 9,  10, 11, 63, 12, 13, 14, 63, 15,
  16, 17, 63, 18, 19, 20, 63, 21, 22, 23, 63, 24, 25, 26, 63, 27, 28, 29, 63, 30, 31, 32,
  63, 33, 34, 35, 63, 36, 37, 38, 63, 39, 40, 41, 63, 42, 43, 44, 63, 45, 46, 47};

AVX512 static inline __m512 sixteen_s24(const uint8_t *bytes, __m512i spread, __m512 scale) {
  // Two loads in place of one with a mask, which the processor does not learn from what to fetch ahead: samples that are not
  // in the cache took twice as long.
  __m256i first = _mm256_loadu_si256((const void *)bytes);
  __m128i last = _mm_loadu_si128((const void *)(bytes + 32));
  __m512i packed = _mm512_inserti64x4(_mm512_castsi256_si512(first), _mm256_zextsi128_si256(last), 1);
  return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srai_epi32(_mm512_permutexvar_epi8(spread, packed), 8)), scale);
}

AVX512 static size_t unpack_avx512(daw_sample_format format, const void *packed, size_t count, float gain, float *out) {
  if (format != DAW_SAMPLE_S24) return unpack_body(format, packed, count, gain, out);
  const uint8_t *bytes = packed;
  const __m512i spread = _mm512_load_si512(spread_s24);
  const __m512 scale = _mm512_set1_ps(scale_s24 * gain);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) _mm512_storeu_ps(out + i, sixteen_s24(bytes + 3 * i, spread, scale));
  unpack_s24(bytes + 3 * i, count - i, gain, out + i);
  return 0;
}

AVX512 static size_t add_to_both_avx512(
  daw_sample_format format, const void *packed, size_t count, float gain, float left_gain, float right_gain,
  float *left, float *right) {
  const uint8_t *bytes = packed;
  size_t i = 0;
  if (format == DAW_SAMPLE_S24) {
    const __m512i spread = _mm512_load_si512(spread_s24);
    const __m512 scale = _mm512_set1_ps(scale_s24 * gain);
    const __m512 left_gains = _mm512_set1_ps(left_gain), right_gains = _mm512_set1_ps(right_gain);
    for (; i + 16 <= count; i += 16) {
      __m512 x = sixteen_s24(bytes + 3 * i, spread, scale);
      _mm512_storeu_ps(left + i, _mm512_add_ps(_mm512_loadu_ps(left + i), _mm512_mul_ps(x, left_gains)));
      _mm512_storeu_ps(right + i, _mm512_add_ps(_mm512_loadu_ps(right + i), _mm512_mul_ps(x, right_gains)));
    }
  }
  return add_to_both_body(
    format, bytes + i * bytes_per_sample[format], count - i, gain, left_gain, right_gain, left + i, right + i);
}

AVX512 static uint32_t greatest_magnitude_avx512(const float *samples, size_t count, size_t *beyond) {
  return greatest_magnitude_body(samples, count, beyond);
}

AVX512 static void add_to_eight_sums_avx512(const float *samples, size_t count, size_t first, double *sums) {
  add_to_eight_sums_body(samples, count, first, sums);
}

// Wider vectors gain nothing here: writing the bytes takes longer.
AVX512 static size_t pack_avx512(daw_sample_format format, const float *samples, size_t count, uint8_t *bytes) {
  return pack_avx2(format, samples, count, bytes);
}

daw_sample_path daw_best_path(void) {
  if (!__builtin_cpu_supports("avx2")) return DAW_PATH_PORTABLE;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
      && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi")
    ? DAW_PATH_AVX512
    : DAW_PATH_AVX2;
}

#else

daw_sample_path daw_best_path(void) { return DAW_PATH_PORTABLE; }

#endif

size_t daw_unpack(
  daw_sample_path path, daw_sample_format format, const void *bytes, size_t count, float gain, float *out) {
  return ON_PATH(path, unpack, format, bytes, count, gain, out);
}

size_t daw_add_to_both(
  daw_sample_path path, daw_sample_format format, const void *bytes, size_t count, float gain, float leftGain,
  float rightGain, float *left, float *right) {
  return ON_PATH(path, add_to_both, format, bytes, count, gain, leftGain, rightGain, left, right);
}

size_t daw_pack(
  daw_sample_path path, daw_sample_format format, const float *samples, size_t count, void *bytes) {
  return ON_PATH(path, pack, format, samples, count, bytes);
}

uint32_t daw_greatest_magnitude(daw_sample_path path, const float *samples, size_t count, size_t *beyond) {
  return ON_PATH(path, greatest_magnitude, samples, count, beyond);
}

void daw_add_to_eight_sums(daw_sample_path path, const float *samples, size_t count, size_t first, double *sums) {
  ON_PATH(path, add_to_eight_sums, samples, count, first, sums);
}
