import Foundation

/// Another process that has a project open.
public struct OtherProcess: Equatable, Sendable {
  public var processID: Int32
  /// The program's name.
  public var name: String

  /// Processes that have a file open, as far as this user may see them.
  /// - SeeAlso: proc(5), `/proc/PID/fd`
  static func having(_ path: String) -> [OtherProcess] {
    var wanted = stat()
    guard stat(path, &wanted) == 0 else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { $0 != getpid() }.sorted().compactMap { id in
      let folder = "/proc/\(id)/fd"
      let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let holds = descriptors.contains { descriptor in
        var status = stat()
        return stat("\(folder)/\(descriptor)", &status) == 0 && status.st_ino == wanted.st_ino
          && status.st_dev == wanted.st_dev
      }
      guard holds else { return nil }
      let name = (try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)) ?? "?"
      return OtherProcess(processID: id, name: name.trimmingCharacters(in: .newlines))
    }
  }
}
