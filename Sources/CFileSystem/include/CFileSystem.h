// CFileSystem: system calls of Linux that Swift does not import.
#pragma once
#include <stdint.h>

/// Reserves space on disk for a file's first bytes; the file's length stays (fallocate, FALLOC_FL_KEEP_SIZE).
/// - Returns: 0, or -1 with `errno`.
int daw_reserve_space(int descriptor, int64_t byteCount);

/// The first byte of a sparse file, at or behind an offset, that lies on disk (lseek, SEEK_DATA).
/// - Returns: -1 with `errno`: ENXIO if there is none, EINVAL if the file system does not say.
int64_t daw_next_data(int descriptor, int64_t offset);

/// The first byte, at or behind an offset, that lies in a hole; the file's length if there is none (lseek, SEEK_HOLE).
/// - Returns: -1 with `errno`.
int64_t daw_next_hole(int descriptor, int64_t offset);

/// Flushes the file system that an open file or folder is on to disk (syncfs).
/// - Returns: 0, or -1 with `errno`.
int daw_sync_file_system(int descriptor);

/// When the file was made that a path leads to, in nanoseconds since 1970 (statx, STATX_BTIME).
/// - Returns: 0 where there is none, or its file system does not say.
int64_t daw_birth_time(const char *_Nonnull path);
