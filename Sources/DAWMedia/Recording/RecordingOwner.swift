import Glibc

/// The process that writes a recording, so that another can tell whether it still does.
public struct RecordingOwner: Hashable, Sendable {
  public var processID: Int32
  /// The process's start, in clock ticks since the system's: a number that was given to another process has another.
  public var startTime: Int64
  /// The system's id for this time of running, a UUID.
  public var bootID: String

  public init(processID: Int32, startTime: Int64, bootID: String) {
    self.processID = processID
    self.startTime = startTime
    self.bootID = bootID
  }

  /// This process.
  public static var current: RecordingOwner { RecordingOwner(ofProcess: getpid()) }

  init(ofProcess processID: Int32) {
    self.init(processID: processID, startTime: Self.startTime(of: processID) ?? 0, bootID: Self.currentBootID)
  }

  /// Whether the process runs.
  public var isAlive: Bool { bootID == Self.currentBootID && Self.startTime(of: processID) == startTime }

  private static var currentBootID: String {
    let text = contents(of: "/proc/sys/kernel/random/boot_id")
    return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// - Returns: `nil` if there is none, or it has ended and its parent has not asked for its status yet.
  /// - SeeAlso: proc(5), `/proc/PID/stat`, fields 3 and 22. The name, field 2, is in parentheses and may hold anything.
  private static func startTime(of processID: Int32) -> Int64? {
    let text = contents(of: "/proc/\(processID)/stat")
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[text.index(after: end)...].split(separator: UInt8(ascii: " "))
    guard let state = fields.first?.first, !"ZXx".utf8.contains(state) else { return nil }
    return fields.count > 19 ? Int64(String(decoding: fields[19], as: UTF8.self)) : nil
  }

  /// Up to 4 KiB; empty if there is no such file.
  private static func contents(of path: String) -> [UInt8] {
    guard let file = try? FileDescriptor.opening(path, O_RDONLY) else { return [] }
    return (try? FileHead.bytes(4_096, at: 0, inFile: file.number)) ?? []
  }
}
