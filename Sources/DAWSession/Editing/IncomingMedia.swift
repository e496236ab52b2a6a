import DAWMedia
import DAWModel
import Foundation

/// The media that an edit brings in: copied whole beside their place before the transaction, renamed into it as the last
/// thing before the commit.
///
/// After a crash in between, what lies in `Audio/` and nothing names is removed by `daw clean`.
final class IncomingMedia {
  private let folder: ProjectFolder
  /// From the path in `Audio/.incoming/` to the final one, absolute.
  private var moves: [(from: String, to: String)] = []
  private var placed: [String] = []
  /// The audio files that came with the edit.
  var audioFiles: [(file: AudioFile, facts: AudioFileFacts)] = []

  init(folder: ProjectFolder) { self.folder = folder }

  /// A free path in `Audio/.incoming/`, which is made where it is missing.
  /// - Throws: `Failure`.
  func newCopyPath() throws -> String {
    do {
      try FileManager.default.createDirectory(atPath: folder.incoming, withIntermediateDirectories: true)
    } catch {
      throw Failure(.io, code: "io", "The folder '\(folder.incoming)' could not be made. Nothing was changed.")
    }
    return folder.incoming + "/" + UUID().uuidString.lowercased()
  }

  /// Keeps a complete copy for the end of the edit.
  /// - Parameter name: what the file should be called in `Audio/`.
  /// - Returns: the path, relative to the project, that it will have.
  func keep(copy: String, as name: String) -> String {
    let base = (name as NSString).deletingPathExtension
    let ending = (name as NSString).pathExtension
    var candidate = name
    var number = 2
    while FileManager.default.fileExists(atPath: folder.audio + "/" + candidate)
      || moves.contains(where: { $0.to == folder.audio + "/" + candidate })
    {
      candidate = ending.isEmpty ? "\(base) \(number)" : "\(base) \(number).\(ending)"
      number += 1
    }
    moves.append((copy, folder.audio + "/" + candidate))
    return "Audio/" + candidate
  }

  /// Whether a file will be at this path, relative to the project, when the edit is done.
  func isBringing(_ path: String) -> Bool { moves.contains { $0.to == folder.absolute(path) } }

  /// Drops a copy that turned out to be there already.
  func discard(copy: String) { try? FileManager.default.removeItem(atPath: copy) }

  /// The last thing before the commit.
  func moveIntoPlace() throws {
    for move in moves {
      guard link(move.from, move.to) == 0 || renameWithoutLinks(move) else {
        throw Failure(
          .io, code: "io", "'\(move.to)' could not be made: \(String(cString: strerror(errno))). Nothing was changed.")
      }
      placed.append(move.to)
    }
    if !moves.isEmpty { syncFolder() }
  }

  /// Where the file system has no hard links, which would refuse to replace anything in one step.
  private func renameWithoutLinks(_ move: (from: String, to: String)) -> Bool {
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno), access(move.to, F_OK) != 0 else { return false }
    return rename(move.from, move.to) == 0
  }

  /// After the commit or the failure.
  func finish(isKept: Bool) {
    for move in moves { unlink(move.from) }
    if !isKept { for path in placed { unlink(path) } }
  }

  private func syncFolder() {
    let descriptor = open(folder.audio, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
