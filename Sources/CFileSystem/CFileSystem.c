#define _GNU_SOURCE
#include "CFileSystem.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int daw_reserve_space(int descriptor, int64_t byteCount) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, byteCount);
}

int64_t daw_next_data(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_DATA); }

int64_t daw_next_hole(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_HOLE); }

int daw_sync_file_system(int descriptor) { return syncfs(descriptor); }

int64_t daw_birth_time(const char *path) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return 0;
  return status.stx_btime.tv_sec * INT64_C(1000000000) + status.stx_btime.tv_nsec;
}
