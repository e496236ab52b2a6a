/// Where something is written or deleted: a folder that the user names, which links may lead to, and names below it, none
/// of which may be a link. Reading follows links; writing and deleting never does, so that no project, whoever made it,
/// leads out of its folder.
public struct Place: Hashable, Sendable {
  /// The folder that the user names.
  public let root: String
  /// Below it, from folder to folder.
  public let names: [String]

  public init(root: String, _ names: [String] = []) {
    self.root = root
    self.names = names
  }

  /// What has the last name of a path that the user chose: links lead to its folder, and the name itself is no link.
  public init(path: String) {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let name = Path.name(of: String(path))
    let isPlain = !["", ".", ".."].contains(name)
    self.init(root: isPlain ? Path.folder(of: String(path)) : String(path), isPlain ? [name] : [])
  }

  /// What has this name in the folder at this place.
  public func appending(_ name: String) -> Place { Place(root: root, names + [name]) }

  /// For messages, for reading, and for libraries that only read.
  public var path: String { names.reduce(root, Path.joining) }

  /// The last name; empty for the root itself.
  public var name: String { names.last ?? "" }

  /// The folder that the last name is in; for the root, itself.
  public var parent: Place { Place(root: root, names.dropLast()) }

  /// Opens the folder.
  /// - Throws: with the code `ELOOP` where it, or what is on the way to it below the root, is a link.
  public func open() throws(SystemCallFailure) -> Folder { try walk(makes: false) }

  /// The same for a folder that is made where it is missing, along with those above it below the root.
  public func make() throws(SystemCallFailure) -> Folder { try walk(makes: true) }

  /// Makes the root and the folders above it, where they are missing.
  public func makeRoot() throws(SystemCallFailure) { try Path.makeFolder(root) }

  /// Opens the regular file; see `Folder.openFile`.
  public func openFile(_ flags: Int32) throws(SystemCallFailure) -> Int32 {
    try parent.open().openFile(name, flags)
  }

  /// Removes what has the last name, a link itself and never what it leads to; a folder with all that is in it. What
  /// cannot be removed stays.
  public func removeAll() {
    guard let folder = try? parent.open() else { return }
    folder.removeAll(name)
  }

  private func walk(makes: Bool) throws(SystemCallFailure) -> Folder {
    var folder = try Folder(path: root)
    for name in names { folder = try folder.folder(name, makes: makes) }
    return folder
  }
}
