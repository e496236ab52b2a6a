// CChildProcess: starts a program with what `posix_spawn` has no attribute for: its end with ours, and limits.
#pragma once

#include <sys/types.h>

/// What the program may use. 0: no limit.
struct daw_child_limits {
  /// Of processor time.
  unsigned long seconds;
  /// Of one file that it writes.
  unsigned long file_bytes;
  /// Of its address space.
  unsigned long memory_bytes;
  /// 0 … 19, as of nice(1).
  int niceness;
  /// Not 0: it runs only while no other process wants the processor, as of SCHED_IDLE in sched(7).
  int is_idle;
  /// The folder that it starts in; null: the caller's.
  const char *folder;
};

/// Starts a program in a process group of its own, with no signal blocked or ignored. It is killed when the calling thread
/// ends. Where it cannot be run it ends with status 127.
/// - `descriptors`: those that become 0 … `descriptor_count` - 1 in it; it inherits no other.
/// - Returns: its process id; -1 with `errno` where no process could be made.
pid_t daw_child_start(const char *path, char *const arguments[], char *const environment[], const int descriptors[],
                      int descriptor_count, const struct daw_child_limits *limits);

/// A nameless file in memory, closed in child processes unless it is passed to them.
/// - Returns: its descriptor; -1 with `errno`.
int daw_memory_file(void);

/// A pipe that child processes do not inherit unless an end is passed to them.
/// - `ends`: becomes the end to read from and the one to write to.
/// - Returns: 0; -1 with `errno`.
int daw_pipe(int ends[2]);
