// usage: runs a command to its end, and says what it used.
//
//   usage DESCRIPTOR COMMAND…
//
// Writes "STATUS CLOCK PROCESSORS MEMORY" to the open file DESCRIPTOR: the status that waitpid tells, seconds, seconds and KiB.
// The kernel counts as a program's greatest memory also what the process had before it became that program. So a large
// process, such as an interpreter, cannot measure a small program that it starts itself.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: usage DESCRIPTOR COMMAND...\n");
    return 64;
  }
  int descriptor = atoi(argv[1]);
  double begin = now();
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 71;
  }
  if (child == 0) {
    close(descriptor);
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno == EINTR) continue;
    perror("wait4");
    return 71;
  }
  double clock = now() - begin;
  dprintf(descriptor, "%d %.6f %.6f %ld\n", status, clock, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
  return 0;
}
