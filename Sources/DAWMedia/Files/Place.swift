import Glibc

/// A location for writing and deleting: a folder named by the user, which may be reached through links, and names below
/// it, none of which may be a link. Reading follows links; writing and deleting never does, so that a project from
/// elsewhere cannot lead out of its folder.
public struct Place: Hashable, Sendable {
  /// The folder named by the user.
  public let root: String
  /// The names below it, from folder to folder.
  public let names: [String]

  public init(root: String, _ names: [String] = []) {
    self.root = root
    self.names = names
  }

  /// The location of a path chosen by the user: its folder may be reached through links, its last component may not be
  /// a link.
  public init(path: String) {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let name = Path.name(of: String(path))
    let isPlain = !["", ".", ".."].contains(name)
    self.init(root: isPlain ? Path.folder(of: String(path)) : String(path), isPlain ? [name] : [])
  }

  /// A name in the folder at this place.
  public func appending(_ name: String) -> Place { Place(root: root, names + [name]) }

  /// For messages, for reading, and for libraries that only read.
  public var path: String { names.reduce(root, Path.joining) }

  /// The last name; empty for the root itself.
  public var name: String { names.last ?? "" }

  /// The folder that the last name is in; for the root, itself.
  public var parent: Place { Place(root: root, names.dropLast()) }

  /// Opens the folder.
  /// - Throws: with the code `ELOOP` if it, or a folder between the root and it, is a link.
  public func open() throws(SystemCallFailure) -> Folder { try walk(makes: false, mode: 0) }

  /// Opens the folder, after making it and its parents below the root if they are missing.
  /// - Parameter mode: of the folders that are made.
  public func make(mode: mode_t = 0o777) throws(SystemCallFailure) -> Folder { try walk(makes: true, mode: mode) }

  /// The same for a folder whose names are its user's alone, with the mode `Folder.modeOfPrivate`, also where it is
  /// there already and more open. Those above it are made as usual.
  public func makePrivate() throws(SystemCallFailure) -> Folder {
    guard !names.isEmpty else { return try open() }
    let above = try parent.make()
    let folder = try above.folder(name, makes: true, mode: above.modeOfPrivate)
    folder.restrict(to: above.modeOfPrivate)
    return folder
  }

  /// Makes the root and its parents, if they are missing.
  public func makeRoot() throws(SystemCallFailure) { try Path.makeFolder(root) }

  /// The first name on the way here, or the last one itself, that is a link; `nil` if none is.
  public var firstLink: Place? {
    var folder = Place(root: root)
    for name in names {
      let next = folder.appending(name)
      if (try? folder.open())?.status(of: name)?.isLink == true { return next }
      folder = next
    }
    return nil
  }

  /// Opens the regular file; see `Folder.openFile`.
  public func openFile(_ flags: Int32) throws(SystemCallFailure) -> Int32 {
    try parent.open().openFile(name, flags)
  }

  /// Removes the last name: a file, a link itself, or a folder with its contents. Errors are ignored.
  public func removeAll() {
    guard let folder = try? parent.open() else { return }
    folder.removeAll(name)
  }

  private func walk(makes: Bool, mode: mode_t) throws(SystemCallFailure) -> Folder {
    var folder = try Folder(path: root)
    for name in names { folder = try folder.folder(name, makes: makes, mode: mode) }
    return folder
  }
}
