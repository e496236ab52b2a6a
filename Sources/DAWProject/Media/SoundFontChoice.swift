/// A reference to a SoundFont, as typed by the user.
public struct SoundFontChoice: Hashable, Sendable {
  /// Where the SoundFont's file is kept.
  public enum Storage: Hashable, Sendable {
    /// Copies a file into the project; leaves an installed one where it is.
    case automatic
    /// Leaves the file where it is.
    case linked
    /// Copies the file into the project.
    case copied
  }

  /// As it was typed.
  public var name: String
  /// The path, if the name is that of a file.
  public var path: String
  public var storage: Storage

  public init(name: String, path: String, storage: Storage = .automatic) {
    self.name = name
    self.path = path
    self.storage = storage
  }
}
