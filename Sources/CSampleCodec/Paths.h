// Paths.h: how a function is compiled for several kinds of processors, and one of them called.
#pragma once
#include "CSampleCodec.h"

// One body, compiled once for every path that the compiler vectorises well by itself.
#define BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))

// One of the paths' functions of this name.
#define ON_PATH(path, name, ...)                          \
  ((path) == DAW_PATH_AVX512 ? name##_avx512(__VA_ARGS__) \
   : (path) == DAW_PATH_AVX2 ? name##_avx2(__VA_ARGS__)   \
                             : name##_portable(__VA_ARGS__))

// The paths' functions of a body without a value: `parameters` with types, and the arguments alone.
#define PATHS(name, parameters, ...)                                 \
  static void name##_portable parameters { name##_body(__VA_ARGS__); } \
  AVX2 static void name##_avx2 parameters { name##_body(__VA_ARGS__); } \
  AVX512 static void name##_avx512 parameters { name##_body(__VA_ARGS__); }

#else

#define ON_PATH(path, name, ...) ((void)(path), name##_portable(__VA_ARGS__))
#define PATHS(name, parameters, ...) \
  static void name##_portable parameters { name##_body(__VA_ARGS__); }

#endif
