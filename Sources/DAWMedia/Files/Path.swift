import Glibc

/// Names of files, taken apart and put together as text.
enum Path {
  /// The folder that a path's last part lies in: "." for a name alone.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  static func joining(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The names in a folder; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes a folder and those above it, where they are missing.
  static func makeFolder(_ path: String) throws(SystemCallFailure) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, folder(of: path) != path else { throw SystemCallFailure(call: "mkdir", code: errno) }
    try makeFolder(folder(of: path))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemCallFailure(call: "mkdir", code: errno) }
  }

  /// Removes a file, or a folder with all that is in it, as far as that is allowed.
  static func removeAll(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    for name in names(in: path) { removeAll(joining(path, name)) }
    rmdir(path)
  }
}
