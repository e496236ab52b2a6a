import Glibc

/// The system's monotonic clock, which JACK uses as well.
public enum SystemClock {
  public static var microseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
  }
}
