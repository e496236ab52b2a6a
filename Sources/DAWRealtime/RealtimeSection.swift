import CRealtimeCheck

/// Marks a section in which a thread must not block. With RealtimeSanitizer, the process stops at the first allocation,
/// lock or system call between `enter` and `exit`; otherwise both do nothing.
/// - SeeAlso: <https://clang.llvm.org/docs/RealtimeSanitizer.html>
public enum RealtimeSection {
  @_noLocks public static func enter() { daw_realtime_enter() }
  @_noLocks public static func exit() { daw_realtime_exit() }
}
