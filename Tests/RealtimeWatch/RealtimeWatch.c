// RealtimeWatch: what a thread asks of the C library and of the kernel while it must not wait. Preloaded into a program, it
// stands in for RealtimeSanitizer's two entry points, which the engine calls around each block, and counts between them: calls
// that allocate, free, lock or wake, and, where the kernel lets a thread watch itself (Linux 5.11, x86-64), system calls.
//
//   cc -shared -fPIC -O2 -o watch.so RealtimeWatch.c
//   DAW_WATCH_REPORT=report.txt LD_PRELOAD=./watch.so PROGRAM
//
// The report has a line "NAME COUNT" for everything that was counted.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <ucontext.h>

enum { MALLOC, FREE, LOCK, WAKE, WAIT, SYSCALL, BLOCKS, UNWATCHED, KINDS };
static const char *const names[KINDS] = {"malloc", "free", "lock", "wake", "wait", "syscall", "blocks", "unwatched"};
static atomic_long counts[KINDS];
static _Thread_local int depth __attribute__((tls_model("initial-exec")));
// What the kernel looks at before each system call of the thread.
static _Thread_local volatile char selector __attribute__((tls_model("initial-exec")));
static _Thread_local char is_armed __attribute__((tls_model("initial-exec")));

static void count(int kind) {
  if (depth > 0) atomic_fetch_add(&counts[kind], 1);
}

#if defined(__x86_64__) && defined(PR_SET_SYSCALL_USER_DISPATCH)
// The call is counted and made again; the rest of the block goes unseen, which one that has failed may.
static void on_system_call(int signal, siginfo_t *info, void *context) {
  (void)signal;
  selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  atomic_fetch_add(&counts[SYSCALL], 1);
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  registers[REG_RIP] -= 2;
  registers[REG_RAX] = info->si_syscall;
}

static void arm(void) {
  is_armed = 1;
  struct sigaction action = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, NULL);
  if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector) != 0) is_armed = -1;
}
#else
enum { SYSCALL_DISPATCH_FILTER_ALLOW, SYSCALL_DISPATCH_FILTER_BLOCK };
static void arm(void) { is_armed = -1; }
#endif

void __rtsan_realtime_enter(void) {
  if (is_armed == 0) arm();
  atomic_fetch_add(&counts[BLOCKS], 1);
  if (is_armed < 0) atomic_fetch_add(&counts[UNWATCHED], 1);
  depth++;
  if (is_armed > 0) selector = SYSCALL_DISPATCH_FILTER_BLOCK;
}

void __rtsan_realtime_exit(void) {
  selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  depth--;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("DAW_WATCH_REPORT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  for (int kind = 0; kind < KINDS; kind++) fprintf(file, "%s %ld\n", names[kind], atomic_load(&counts[kind]));
  fclose(file);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) {
  count(MALLOC);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(MALLOC);
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count(MALLOC);
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(MALLOC);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count(MALLOC);
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : 12;
}

void free(void *memory) {
  count(FREE);
  __libc_free(memory);
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  NEXT(pthread_mutex_lock);
  count(LOCK);
  return next(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  NEXT(pthread_rwlock_rdlock);
  count(LOCK);
  return next(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  NEXT(pthread_rwlock_wrlock);
  count(LOCK);
  return next(lock);
}

int sem_wait(sem_t *semaphore) {
  NEXT(sem_wait);
  count(WAIT);
  return next(semaphore);
}

int sem_post(sem_t *semaphore) {
  NEXT(sem_post);
  count(WAKE);
  return next(semaphore);
}
