#include "CFluidSynth.h"

#include <dlfcn.h>
#include <stddef.h>

// libfluidsynth.so.2 is FluidSynth 2.0 and 2.1; it has the same functions with the same arguments.
static void *open_library(void) {
  void *library = dlopen("libfluidsynth.so.3", RTLD_NOW | RTLD_LOCAL);
  return library != NULL ? library : dlopen("libfluidsynth.so.2", RTLD_NOW | RTLD_LOCAL);
}

const struct cfluidsynth *cfluidsynth_open(const char **problem) {
  static struct cfluidsynth functions;
  void *library = open_library();
  if (library == NULL) {
    *problem = dlerror();
    return NULL;
  }
#define CFLUIDSYNTH_FIND(name)                             \
  {                                                        \
    void *symbol = dlsym(library, #name);                  \
    if (symbol == NULL) {                                  \
      *problem = dlerror();                                \
      return NULL;                                         \
    }                                                      \
    functions.name = (__typeof__(functions.name))symbol;   \
  }
  CFLUIDSYNTH_FUNCTIONS(CFLUIDSYNTH_FIND)
#undef CFLUIDSYNTH_FIND
  return &functions;
}
