import Glibc

/// What the operating system refused, and why in its own words.
public struct SystemCallFailure: Error, Equatable, Sendable {
  /// The name of what was tried: "open", "read", "write", "sync", "rename", …
  public let call: String
  /// A value of `errno`.
  public let code: Int32

  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }
}

extension SystemCallFailure: CustomStringConvertible {
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
