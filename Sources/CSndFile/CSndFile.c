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

#define SONAME "libsndfile.so.1"

LAZY_LIBRARY(SONAME, FUNCTIONS)

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

// Of a damaged MP3 libmpg123 prints notes to standard error, and libsndfile does not keep it quiet. The executable comes
// first where libsndfile's symbols are looked up, so that its call of mpg123_new comes here, where the flag is set.
// Package.swift has the linker export the function. Nothing else in this process uses libmpg123.
// - SeeAlso: Documentation/Decisions/0035-a-quiet-decoder-of-mp3s.md; dlopen(3), on the order of the search; mpg123.h

enum { MPG123_ERR = -1, MPG123_ADD_FLAGS = 2, MPG123_QUIET = 0x20 };

__attribute__((visibility("default"))) void *mpg123_new(const char *decoder, int *error) {
  // Loaded already: it is what calls. Its libmpg123 is found by it, and not this function again.
  void *libsndfile = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  void *(*make)(const char *, int *) = NULL;
  int (*set)(void *, int, long, double) = NULL;
  if (libsndfile != NULL) {
    make = (__typeof__(make))dlsym(libsndfile, "mpg123_new");
    set = (__typeof__(set))dlsym(libsndfile, "mpg123_param");
    dlclose(libsndfile);
  }
  if (make == NULL) {
    if (error != NULL) *error = MPG123_ERR;
    return NULL;
  }
  void *handle = make(decoder, error);
  if (handle != NULL && set != NULL) set(handle, MPG123_ADD_FLAGS, MPG123_QUIET, 0);
  return handle;
}
