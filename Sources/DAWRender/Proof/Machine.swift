import Foundation

/// The facts of this machine by which system libraries choose their instructions, and so their rounding.
public struct Machine: Codable, Hashable, Sendable {
  /// `x86_64`, `aarch64`.
  public var architecture: String
  /// Maker, family, and the vector instructions there are.
  public var processor: String
  /// The C library, whose mathematics other libraries use.
  public var libc: String

  public static let current = Machine(
    architecture: kernelArchitecture(), processor: processorFamily(), libc: libraryVersion())

  private static func kernelArchitecture() -> String {
    var names = utsname()
    uname(&names)
    return withUnsafeBytes(of: names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// "glibc 2.36".
  private static func libraryVersion() -> String {
    var bytes = [CChar](repeating: 0, count: 64)
    let count = confstr(Int32(_CS_GNU_LIBC_VERSION), &bytes, bytes.count)
    return String(
      decoding: bytes.prefix(max(0, min(count, bytes.count) - 1)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The first processor's facts, as Linux lists them.
  private static func processorFamily() -> String {
    guard let file = FileHandle(forReadingAtPath: "/proc/cpuinfo"),
      let start = try? file.read(upToCount: 8_192)
    else { return "unknown" }
    var facts: [String: String] = [:]
    for line in String(decoding: start, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2, facts[parts[0]] == nil { facts[parts[0]] = parts[1] }
    }
    let family = ["vendor_id", "cpu family", "CPU implementer", "CPU architecture"].compactMap { facts[$0] }
    let flags = Set((facts["flags"] ?? facts["Features"] ?? "").split(separator: " ").map(String.init))
    let vectors = ["avx", "avx2", "fma", "avx512f", "asimd", "sve"].filter(flags.contains)
    return (family + vectors).joined(separator: " ")
  }
}
