import DAWInstruments
import DAWMedia
import DAWModel
import Foundation

/// The state of a medium's file.
public enum MediumState: Equatable, Sendable {
  case asRecorded
  case missing
  /// The bytes differ from those that the project recorded.
  case changed
  /// The file exists but cannot be read. The reason is a sentence.
  case unreadable(String)
}

/// What messages say of a medium whose file is not as recorded.
extension Medium {
  package var missingSentence: String { "The \(subject) is missing." }
  package var changedSentence: String { "The \(subject) is not what the project recorded." }
  package func unreadableSentence(_ reason: String) -> String { "The \(subject) cannot be read: \(reason)" }
}

extension ProjectFolder {
  /// The path of a medium's file. For linked files the path relative to the project is tried first; SoundFonts of the
  /// system are looked for in all of its folders. A path whose file has other bytes is passed over if a later one has
  /// the right ones, as for a copy of the project alone.
  /// - Parameter progress: in bytes of a file that is hashed.
  package func find(_ location: MediaLocation, progress: MediaProgress = { _, _ in true }) -> String? {
    let places = [location.relativePath.map(absolute), absolute(location.path)].compactMap { $0 }
    let paths = (places + SoundFontLibrary.sameNameElsewhere(of: location.path))
      .map { URL(fileURLWithPath: $0).standardizedFileURL.path }.filter { access($0, F_OK) == 0 }
    guard let first = paths.first, paths.contains(where: { $0 != first }) else { return paths.first }
    return paths.first { state(of: location, at: $0, progress: progress) == .asRecorded } ?? first
  }

  /// In nanoseconds since 1970; `nil` if there is no file.
  func modificationTime(of path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// Checks a medium's file, and a take's segments. A file whose time differs from what was recorded is hashed, unless
  /// it is as it was when it was hashed last.
  /// - Parameters:
  ///   - isThorough: hashes every file, whatever its time, and remembers nothing.
  ///   - trustsCopies: whether in the project's folder a file of the recorded size is assumed unchanged, and not read.
  ///   - progress: in bytes of a file that is hashed. One whose hashing it ended is unreadable.
  package func state(
    of location: MediaLocation, isThorough: Bool = false, trustsCopies: Bool = false,
    progress: MediaProgress = { _, _ in true }
  ) -> MediumState {
    guard let path = find(location, progress: progress) else {
      // In another user's folder of the project it may be there. What is linked can be looked for elsewhere.
      var status = stat()
      let isHidden = !location.isLinked && stat(absolute(location.path), &status) != 0 && errno == EACCES
      return isHidden ? .unreadable(String(cString: strerror(EACCES))) : .missing
    }
    return state(of: location, at: path, isThorough: isThorough, trustsCopies: trustsCopies, progress: progress)
  }

  private func state(
    of location: MediaLocation, at path: String, isThorough: Bool = false, trustsCopies: Bool = false,
    progress: MediaProgress
  ) -> MediumState {
    var status = stat()
    guard stat(path, &status) == 0, let time = modificationTime(of: path) else { return .missing }
    if Int64(status.st_size) != location.byteCount { return .changed }
    do {
      if isThorough {
        guard try sha256(ofFile: path, progress: progress).sha256 == location.sha256 else { return .changed }
      } else if time != location.modificationTime, location.isLinked || !trustsCopies {
        guard try keptHash(ofFile: path, progress: progress) == location.sha256 else { return .changed }
      }
      switch try TakeManifest.faults(path: path, hashes: isThorough).first {
      case nil: return .asRecorded
      case .damaged, .endsEarly: return .changed
      case .some(let fault): return .unreadable("\(fault)")
      }
    } catch {
      return .unreadable("\(error)")
    }
  }
}
