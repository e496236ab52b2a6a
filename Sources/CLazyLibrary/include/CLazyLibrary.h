// CLazyLibrary: what the shims have in common that open a library at the first call of one of its functions, and call it
// through pointers under its own names.
#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#define LAZY_MEMBER(name) __typeof__(name) *name;

#define LAZY_FIND(name)                                          \
  library.name = (__typeof__(library.name))dlsym(handle, #name); \
  if (library.name == NULL) {                                    \
    keep_problem(dlerror());                                     \
    return;                                                      \
  }

/// Declares `library`, the pointers; `problem`, the dynamic linker's sentence, NULL if all were found; and `is_open`,
/// which opens the library once, on any thread that may wait.
///
/// The sentence is copied: the linker frees it at the same thread's next call, and with the thread, and it is shown whenever
/// and wherever the library is asked for again.
///
/// - `FUNCTIONS`: a macro that applies another to the name of each function.
#define LAZY_LIBRARY(soname, FUNCTIONS)                  \
  static struct {                                        \
    FUNCTIONS(LAZY_MEMBER)                               \
  } library;                                             \
  static const char *problem = soname " is not there";   \
  static void keep_problem(const char *sentence) {       \
    static char kept[512];                               \
    if (sentence == NULL) return;                        \
    snprintf(kept, sizeof kept, "%s", sentence);         \
    problem = kept;                                      \
  }                                                      \
  static pthread_once_t once = PTHREAD_ONCE_INIT;        \
  static void open_library(void) {                       \
    void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL); \
    if (handle == NULL) {                                \
      keep_problem(dlerror());                           \
      return;                                            \
    }                                                    \
    FUNCTIONS(LAZY_FIND)                                 \
    problem = NULL;                                      \
  }                                                      \
  static int is_open(void) {                             \
    pthread_once(&once, open_library);                   \
    return problem == NULL;                              \
  }
