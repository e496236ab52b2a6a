#include "CEBUR128.h"

#include "CLazyLibrary.h"

#define FUNCTIONS(FUNCTION)           \
  FUNCTION(ebur128_init)              \
  FUNCTION(ebur128_destroy)           \
  FUNCTION(ebur128_add_frames_float)  \
  FUNCTION(ebur128_loudness_window)   \
  FUNCTION(ebur128_loudness_global)   \
  FUNCTION(ebur128_loudness_range)    \
  FUNCTION(ebur128_true_peak)

LAZY_LIBRARY("libebur128.so.1", FUNCTIONS)

// Hidden, so that the library's own calls stay its own.
#pragma GCC visibility push(hidden)

ebur128_state *ebur128_init(unsigned int channels, unsigned long rate, int mode) {
  return is_open() ? library.ebur128_init(channels, rate, mode) : NULL;
}

void ebur128_destroy(ebur128_state **state) {
  if (is_open()) library.ebur128_destroy(state);
}

int ebur128_add_frames_float(ebur128_state *state, const float *samples, size_t frames) {
  return is_open() ? library.ebur128_add_frames_float(state, samples, frames) : EBUR128_ERROR_NOMEM;
}

int ebur128_loudness_window(ebur128_state *state, unsigned long window, double *loudness) {
  return is_open() ? library.ebur128_loudness_window(state, window, loudness) : EBUR128_ERROR_NOMEM;
}

int ebur128_loudness_global(ebur128_state *state, double *loudness) {
  return is_open() ? library.ebur128_loudness_global(state, loudness) : EBUR128_ERROR_NOMEM;
}

int ebur128_loudness_range(ebur128_state *state, double *range) {
  return is_open() ? library.ebur128_loudness_range(state, range) : EBUR128_ERROR_NOMEM;
}

int ebur128_true_peak(ebur128_state *state, unsigned int channel, double *peak) {
  return is_open() ? library.ebur128_true_peak(state, channel, peak) : EBUR128_ERROR_NOMEM;
}

#pragma GCC visibility pop
