import DAWErrors
import Foundation

/// The folder that a project's JSON finds its media in.
public struct MediaFolder: Sendable {
  /// Absolute, or relative to the current folder.
  public var path: String
  /// Whether media outside the folder, by `..` or a link, are accepted.
  public var allowsOutside: Bool

  public init(path: String, allowsOutside: Bool = false) {
    self.path = path
    self.allowsOutside = allowsOutside
  }

  /// The path of a media file, and whether it exists.
  /// - Parameter medium: relative to the folder.
  /// - Throws: `Failure` where it lies outside and that is not allowed: JSON that comes from elsewhere does not decide
  ///   which of this user's files are read.
  func find(_ medium: String) throws -> (path: String, isThere: Bool) {
    let folder = URL(fileURLWithPath: path)
    let source = folder.appendingPathComponent(medium).standardizedFileURL
    let isThere = access(source.path, F_OK) == 0
    if allowsOutside { return (source.path, isThere) }
    let root = folder.standardizedFileURL.path
    let staysByName = Self.contains(root, source.path)
    let staysByLinks = !isThere || Self.contains(Self.resolved(root), Self.resolved(source.path))
    guard staysByName, staysByLinks else {
      throw Failure(
        .invalid, code: "outsideMediaFolder",
        "The JSON's medium '\(medium)' leads out of the folder of its media, '\(root)'. Nothing was made.",
        hint:
          "Name the folder that has it with --media; --allow-outside takes it from where it is, if the JSON is yours.")
    }
    return (source.path, isThere)
  }

  private static func contains(_ folder: String, _ path: String) -> Bool {
    path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
