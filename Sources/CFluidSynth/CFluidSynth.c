#include "CFluidSynth.h"

#include <dlfcn.h>
#include <stddef.h>

// libfluidsynth.so.2 is FluidSynth 2.0 and 2.1; it has the same functions with the same arguments.
static void *open_library(void) {
  void *library = dlopen("libfluidsynth.so.3", RTLD_NOW | RTLD_LOCAL);
  return library != NULL ? library : dlopen("libfluidsynth.so.2", RTLD_NOW | RTLD_LOCAL);
}

static void say_nothing(const char *domain, int level, const char *message, void *data) {
  (void)domain, (void)level, (void)message, (void)data;
}

// What FluidSynth cannot read it tries again with libinstpatch, which complains on standard error through GLib. What goes
// wrong is told by return values, and nothing else here uses GLib; where FluidSynth does not either, it is not there.
static void silence_glib(void) {
  void *library = dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_NOLOAD);
  if (library == NULL) return;
  void *symbol = dlsym(library, "g_log_set_default_handler");
  if (symbol == NULL) return;
  typedef void log_function(const char *, int, const char *, void *);
  log_function *(*set)(log_function *, void *) = (__typeof__(set))symbol;
  set(say_nothing, NULL);
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
  silence_glib();
  return &functions;
}
