#define _GNU_SOURCE
#include "CChildProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void limit(int resource, unsigned long value) {
  struct rlimit both = {value, value};
  if (value > 0) setrlimit(resource, &both);
}

// Runs in the caller's memory, see `daw_child_start`: it writes nothing there but its own stack, and calls only what is
// safe in a signal handler, because another thread may hold any lock. Inlined, it might write to the caller's stack.
__attribute__((noinline)) static void become(pid_t parent, const char *path, char *const arguments[],
                                             char *const environment[], const int descriptors[], int count,
                                             const struct daw_child_limits *limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return;
  setpgid(0, 0);
  // First out of the way of each other, then to their places.
  int high[16];
  for (int index = 0; index < count; index++) {
    high[index] = fcntl(descriptors[index], F_DUPFD, 64);
    if (high[index] < 0) return;
  }
  for (int index = 0; index < count; index++)
    if (dup2(high[index], index) < 0) return;
  syscall(SYS_close_range, count, ~0U, 0);
  // A Ctrl-Z from before it had a group of its own would stop it here, where `fg` does not reach it, and the caller waits
  // until it is the other program. Ignoring a signal also drops one that waits to be let in.
  const int stops[] = {SIGTSTP, SIGTTIN, SIGTTOU};
  for (int index = 0; index < 3; index++) signal(stops[index], SIG_IGN);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  limit(RLIMIT_CPU, limits->seconds);
  limit(RLIMIT_FSIZE, limits->file_bytes);
  limit(RLIMIT_AS, limits->memory_bytes);
  if (limits->niceness > 0) setpriority(PRIO_PROCESS, 0, limits->niceness);
  struct sched_param no_priority = {0};
  if (limits->is_idle) sched_setscheduler(0, SCHED_IDLE, &no_priority);
  if (limits->folder && chdir(limits->folder) != 0) return;
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  execve(path, arguments, environment);
}

pid_t daw_child_start(const char *path, char *const arguments[], char *const environment[], const int descriptors[],
                      int descriptor_count, const struct daw_child_limits *limits) {
  if (descriptor_count > 16) {
    errno = EINVAL;
    return -1;
  }
  pid_t parent = getpid();
  // Not `fork`, which copies the tables of all of the caller's memory to throw them away: with gigabytes in use that
  // takes a tenth of a second for each program. No signal may be handled in the child while it runs in that memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = vfork();
  if (child == 0) {
    become(parent, path, arguments, environment, descriptors, descriptor_count, limits);
    _exit(127);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  errno = error;
  return child;
}

int daw_memory_file(void) { return memfd_create("daw", MFD_CLOEXEC); }

int daw_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
