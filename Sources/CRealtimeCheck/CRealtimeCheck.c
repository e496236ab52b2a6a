#define _GNU_SOURCE
#include "CRealtimeCheck.h"

#include <dlfcn.h>
#include <time.h>

#if defined(__x86_64__) || defined(__i386__)

#include <xmmintrin.h>

// MXCSR: flush-to-zero is bit 15, denormals-are-zero bit 6.
static const uint32_t flushing = 1u << 15 | 1u << 6;

uint64_t daw_denormals_flush(void) {
  uint32_t flags = _mm_getcsr();
  _mm_setcsr(flags | flushing);
  return flags;
}

void daw_denormals_restore(uint64_t flags) { _mm_setcsr((_mm_getcsr() & ~flushing) | ((uint32_t)flags & flushing)); }

#elif defined(__aarch64__)

// FPCR: FZ, bit 24, flushes operands and results.
static const uint64_t flushing = 1ull << 24;

uint64_t daw_denormals_flush(void) {
  uint64_t flags;
  __asm__ volatile("mrs %0, fpcr" : "=r"(flags));
  __asm__ volatile("msr fpcr, %0" : : "r"(flags | flushing));
  return flags;
}

void daw_denormals_restore(uint64_t flags) {
  uint64_t now;
  __asm__ volatile("mrs %0, fpcr" : "=r"(now));
  __asm__ volatile("msr fpcr, %0" : : "r"((now & ~flushing) | (flags & flushing)));
}

#else
#error "How does this processor flush denormals? The engine must give the same bits on every thread."
#endif

// Linked in with the sanitizer's runtime, or preloaded by who watches from outside; looked up before `main`.
__attribute__((weak)) extern void __rtsan_realtime_enter(void);
__attribute__((weak)) extern void __rtsan_realtime_exit(void);
static void (*watch_enter)(void), (*watch_exit)(void);

__attribute__((constructor)) static void find_watch(void) {
  watch_enter = __rtsan_realtime_enter ? __rtsan_realtime_enter
                                       : (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_enter");
  watch_exit = __rtsan_realtime_exit ? __rtsan_realtime_exit
                                     : (void (*)(void))dlsym(RTLD_DEFAULT, "__rtsan_realtime_exit");
}

void daw_realtime_enter(void) {
  if (watch_enter) watch_enter();
}

void daw_realtime_exit(void) {
  if (watch_exit) watch_exit();
}

void daw_freewheel_pause(void) { nanosleep(&(struct timespec){.tv_nsec = 200000}, 0); }
