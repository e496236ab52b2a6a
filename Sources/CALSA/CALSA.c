#include "CALSA.h"

#include <dlfcn.h>

static void print_nothing(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  (void)format;
}

const struct calsa *calsa_open(const char **problem) {
  static struct calsa functions;
  void *library = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    *problem = dlerror();
    return NULL;
  }
#define CALSA_FIND(name)                                   \
  {                                                        \
    void *symbol = dlsym(library, #name);                  \
    if (symbol == NULL) {                                  \
      *problem = dlerror();                                \
      return NULL;                                         \
    }                                                      \
    functions.name = (__typeof__(functions.name))symbol;   \
  }
  CALSA_FUNCTIONS(CALSA_FIND)
#undef CALSA_FIND
  functions.snd_lib_error_set_handler(print_nothing);
  return &functions;
}
