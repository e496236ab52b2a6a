#include "CSoxr.h"

#include "CLazyLibrary.h"

#define FUNCTIONS(FUNCTION)   \
  FUNCTION(soxr_create)       \
  FUNCTION(soxr_delete)       \
  FUNCTION(soxr_process)      \
  FUNCTION(soxr_io_spec)      \
  FUNCTION(soxr_quality_spec) \
  FUNCTION(soxr_runtime_spec) \
  FUNCTION(soxr_version)

LAZY_LIBRARY("libsoxr.so.0", FUNCTIONS)

// Hidden, so that the library's own calls stay its own.
#pragma GCC visibility push(hidden)

soxr_t soxr_create(double input_rate, double output_rate, unsigned channels, soxr_error_t *error,
                   soxr_io_spec_t const *io, soxr_quality_spec_t const *quality, soxr_runtime_spec_t const *runtime) {
  if (is_open()) return library.soxr_create(input_rate, output_rate, channels, error, io, quality, runtime);
  if (error != NULL) *error = problem;
  return NULL;
}

void soxr_delete(soxr_t resampler) {
  if (is_open()) library.soxr_delete(resampler);
}

soxr_error_t soxr_process(soxr_t resampler, soxr_in_t input, size_t input_count, size_t *taken, soxr_out_t output,
                          size_t capacity, size_t *given) {
  return is_open() ? library.soxr_process(resampler, input, input_count, taken, output, capacity, given) : problem;
}

soxr_io_spec_t soxr_io_spec(soxr_datatype_t input, soxr_datatype_t output) {
  return is_open() ? library.soxr_io_spec(input, output) : (soxr_io_spec_t){0};
}

soxr_quality_spec_t soxr_quality_spec(unsigned long recipe, unsigned long flags) {
  return is_open() ? library.soxr_quality_spec(recipe, flags) : (soxr_quality_spec_t){0};
}

soxr_runtime_spec_t soxr_runtime_spec(unsigned threads) {
  return is_open() ? library.soxr_runtime_spec(threads) : (soxr_runtime_spec_t){0};
}

char const *soxr_version(void) { return is_open() ? library.soxr_version() : "not there"; }

#pragma GCC visibility pop
