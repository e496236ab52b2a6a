import Glibc

/// Paths as text.
package enum Path {
  /// The folder of a path's last component: "." for a name alone. Foundation's own function ends the program where the
  /// name is one character.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of a path.
  static func name(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  static func joining(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The names in an open folder.
  /// - Throws: if they cannot be read to the end.
  static func names(in stream: OpaquePointer) throws(SystemCallFailure) -> [String] {
    var names: [String] = []
    while true {
      // Only this tells an error from the end.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw SystemCallFailure(call: "readdir", code: errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Makes a folder and its parents, if they are missing.
  static func makeFolder(_ path: String) throws(SystemCallFailure) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, folder(of: path) != path else { throw SystemCallFailure(call: "mkdir", code: errno) }
    try makeFolder(folder(of: path))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemCallFailure(call: "mkdir", code: errno) }
  }
}
