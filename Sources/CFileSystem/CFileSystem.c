#define _GNU_SOURCE
#include "CFileSystem.h"
#include <fcntl.h>
#include <unistd.h>

int daw_reserve_space(int descriptor, int64_t byteCount) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, byteCount);
}

int64_t daw_next_data(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_DATA); }

int64_t daw_next_hole(int descriptor, int64_t offset) { return lseek(descriptor, offset, SEEK_HOLE); }

int daw_sync_file_system(int descriptor) { return syncfs(descriptor); }
