// CFileSystem: system calls of Linux that Swift does not import.
#pragma once
#include <stdint.h>

/// Reserves space on disk for a file's first bytes; the file's length stays (fallocate, FALLOC_FL_KEEP_SIZE).
/// - Returns: 0, or -1 with `errno`.
int daw_reserve_space(int descriptor, int64_t byteCount);

/// Flushes the file system that an open file or folder is on to disk (syncfs).
/// - Returns: 0, or -1 with `errno`.
int daw_sync_file_system(int descriptor);
