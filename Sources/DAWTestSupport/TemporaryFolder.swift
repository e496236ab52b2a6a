import Foundation

/// A temporary folder for a test, deleted with its contents when the last reference is released.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("daw-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  public func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file.
  /// - Returns: its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  public func bytes(of name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Every name in the folder, hidden ones too, sorted.
  public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
