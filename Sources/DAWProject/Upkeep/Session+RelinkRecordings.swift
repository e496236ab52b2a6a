import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// A file in the folder of a recording that is not there any more.
struct LostRecordedFile {
  var place: Place
  /// Relative to the project's folder.
  var path: String
  var sha256: String
  var byteCount: Int64
  /// `nil`: the description of a take.
  var segment: RecordedSegment?

  /// The pass of a segment that is marked as missing, which is in order where no take needs it, as after `clean`.
  var markedPass: PassID? { segment?.state == .missing ? segment?.pass : nil }
}

extension ProjectView {
  /// The passes of takes in the project, and of those that undo or redo can bring back.
  func passesInUse() throws -> Set<PassID> { try passesInHistory().union(all(Take.self).compactMap(\.pass)) }
}

extension Session {
  /// The segments and descriptions of takes of completed recordings that are gone from their folders. What was written
  /// elsewhere (`SpilledFiles`), what rows of another program name outside of a folder in `Audio/Recordings`, and what
  /// lies in the trash since a removal was interrupted, is none of them.
  func lostRecordedFiles() throws -> [LostRecordedFile] {
    let inTrash = try? namesInTrash()
    return try read { view in
      let takes = Dictionary(
        grouping: try view.audioFiles().map(\.location).filter { !$0.isLinked && TakeManifest.isNamed($0.path) }
      ) { Path.folder(of: $0.path) }
      return try view.recordings.recordingIDs().flatMap { id -> [LostRecordedFile] in
        guard let recording = try view.recordings.recording(id), recording.isCompleted, recording.trashedAt == nil,
          !mayBeInTrash(recording, inTrash), let name = recording.folderName
        else { return [] }
        let place = folder.place("Audio", "Recordings", name)
        let opened: Folder?
        do throws(SystemCallFailure) { opened = try place.open() } catch {
          // In a folder that this user may not open, as another's in a shared project, nothing is known to be lost.
          if [EACCES, EPERM].contains(error.code) { return [] }
          opened = nil
        }
        func lost(_ path: String, _ sha256: String, _ byteCount: Int64, _ segment: RecordedSegment?)
          -> LostRecordedFile?
        {
          let fileName = (path as NSString).lastPathComponent
          guard path == "\(recording.folder)/\(fileName)", !fileName.hasPrefix("."),
            opened?.status(of: fileName) == nil
          else { return nil }
          return LostRecordedFile(
            place: place.appending(fileName), path: path, sha256: sha256, byteCount: byteCount, segment: segment)
        }
        let segments = try view.recordings.segments(of: id).compactMap { segment in
          [.sealed, .recovered, .missing].contains(segment.state)
            ? segment.sha256.flatMap { lost(segment.path, $0, segment.fileSize, segment) } : nil
        }
        return segments + (takes[recording.folder] ?? []).compactMap { lost($0.path, $0.sha256, $0.byteCount, nil) }
      }
    }
  }

  /// Copies a file to where a recording had it, if it is what was recorded and nothing is there.
  /// - Throws: `Failure`; nothing is at the place then that was not there before.
  func putBack(_ lost: LostRecordedFile, from path: String) throws {
    try copyIn(path, as: lost.place, sha256: lost.sha256)
    guard let segment = lost.segment, segment.state == .missing else { return }
    try failing { try store.recordings.set(.recovered, ofSegments: [segment.index], of: segment.pass) }
  }

  /// Copies a file of a recording to a place in the project, unless it is there already.
  /// - Parameter expected: its hash.
  /// - Throws: `Failure` if it is not what was recorded, or something else is at the place; that stays as it is.
  func copyIn(_ path: String, as place: Place, sha256 expected: String) throws {
    if (try? StreamingSHA256.hexDigest(of: place)) == expected { return }
    let incoming = IncomingMedia(folder: folder)
    defer { incoming.finish(isKept: false) }
    let copy = try incoming.newCopy()
    guard try copyAndHash(from: path, to: copy).sha256 == expected else {
      throw Failure(
        .tryAgain, code: "changedWhileRead", "'\(path)' was changed while it was read. It was not copied.")
    }
    do throws(SystemCallFailure) {
      let opened = try copy.openFile(O_RDONLY)
      defer { Glibc.close(opened) }
      guard fchmod(opened, 0o600) == 0 else { throw SystemCallFailure(call: "chmod", code: errno) }
      let target = try place.parent.make(mode: 0o700)
      try copy.parent.open().link(copy.name, to: target, as: place.name)
      try target.sync()
    } catch {
      // Another process has put it there meanwhile.
      if error.code == EEXIST, (try? StreamingSHA256.hexDigest(of: place)) == expected { return }
      let reason =
        error.code == ELOOP ? "a link leads there, and none is followed" : String(cString: strerror(error.code))
      throw Failure(.io, code: "io", "'\(place.path)' could not be written: \(reason).")
    }
  }
}
