#include "CSndFile.h"

#include "CLazyLibrary.h"

#define FUNCTIONS(FUNCTION) \
  FUNCTION(sf_open_fd)      \
  FUNCTION(sf_close)        \
  FUNCTION(sf_command)      \
  FUNCTION(sf_error)        \
  FUNCTION(sf_strerror)     \
  FUNCTION(sf_version_string) \
  FUNCTION(sf_format_check) \
  FUNCTION(sf_seek)         \
  FUNCTION(sf_readf_float)  \
  FUNCTION(sf_writef_float) \
  FUNCTION(sf_writef_int)

LAZY_LIBRARY("libsndfile.so.1", FUNCTIONS)

// Hidden, so that the library's own calls stay its own.
#pragma GCC visibility push(hidden)

SNDFILE *sf_open_fd(int fd, int mode, SF_INFO *info, int close) {
  return is_open() ? library.sf_open_fd(fd, mode, info, close) : NULL;
}

int sf_close(SNDFILE *file) { return is_open() ? library.sf_close(file) : SF_ERR_SYSTEM; }

int sf_command(SNDFILE *file, int command, void *data, int size) {
  return is_open() ? library.sf_command(file, command, data, size) : 0;
}

int sf_error(SNDFILE *file) { return is_open() ? library.sf_error(file) : SF_ERR_SYSTEM; }

const char *sf_strerror(SNDFILE *file) { return is_open() ? library.sf_strerror(file) : problem; }

const char *sf_version_string(void) { return is_open() ? library.sf_version_string() : problem; }

int sf_format_check(const SF_INFO *info) { return is_open() ? library.sf_format_check(info) : 0; }

sf_count_t sf_seek(SNDFILE *file, sf_count_t frames, int whence) {
  return is_open() ? library.sf_seek(file, frames, whence) : -1;
}

sf_count_t sf_readf_float(SNDFILE *file, float *samples, sf_count_t frames) {
  return is_open() ? library.sf_readf_float(file, samples, frames) : 0;
}

sf_count_t sf_writef_float(SNDFILE *file, const float *samples, sf_count_t frames) {
  return is_open() ? library.sf_writef_float(file, samples, frames) : 0;
}

sf_count_t sf_writef_int(SNDFILE *file, const int *samples, sf_count_t frames) {
  return is_open() ? library.sf_writef_int(file, samples, frames) : 0;
}

#pragma GCC visibility pop
