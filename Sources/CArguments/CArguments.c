#include "CArguments.h"

static int count;
static char **words;

// glibc passes constructors what it passes to `main`.
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  words = argv;
}

int daw_argument_count(void) { return count; }

const char *daw_argument(int index) { return words[index]; }
