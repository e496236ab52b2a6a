import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import Foundation

extension Session {
  /// Copies the folders of a document's recordings into a new project, and keeps what the document knows about them. A
  /// file that is not there, or not what was recorded, is marked as missing.
  /// - Returns: the folders, as recordings name them, and what was not found, in sentences.
  /// - Throws: `Failure`, `SystemCallFailure`, and what the store throws.
  func bringIn(
    _ recordings: [RecordingDocument], from media: MediaFolder
  ) throws -> (folders: Set<String>, missing: [String]) {
    var folders: Set<String> = []
    var missing: [String] = []
    for document in recordings {
      var facts = document.facts
      guard let name = facts.recording.folderName else {
        throw Failure(
          .invalid, code: "invalidJSON",
          "The folder of a recording in the JSON, '\(facts.recording.folder)', is none in Audio/Recordings. Nothing was made."
        )
      }
      guard folders.insert(facts.recording.folder).inserted else {
        throw Failure(
          .invalid, code: "invalidJSON", "Two recordings of the JSON have the folder '\(facts.recording.folder)'.")
      }
      let (source, isThere) = try media.find(facts.recording.folder)
      if isThere {
        let target = try folder.place("Audio", "Recordings", name).make(mode: 0o700)
        try Place(root: source, []).open().copyFiles(to: target)
      }
      for index in facts.segments.indices {
        guard let problem = try problem(of: facts.segments[index], in: facts.recording.folder) else { continue }
        facts.segments[index].state = .missing
        missing.append(problem)
      }
      try store.recordings.save(facts)
    }
    return (folders, missing)
  }

  /// - Returns: `nil` if a segment's file is what was recorded.
  private func problem(of segment: RecordedSegment, in recordingFolder: String) throws -> String? {
    let name = (segment.path as NSString).lastPathComponent
    let path = folder.place("Audio", "Recordings", (recordingFolder as NSString).lastPathComponent, name).path
    guard segment.state == .sealed || segment.state == .recovered else {
      return "'\(segment.path)' was not there when the JSON was written"
    }
    guard segment.path == "\(recordingFolder)/\(name)", access(path, F_OK) == 0 else {
      return "'\(segment.path)' is missing"
    }
    guard let wanted = segment.sha256, try sha256(ofFile: path).sha256 != wanted else { return nil }
    return "'\(segment.path)' is not the file that was recorded (SHA-256 \(wanted))"
  }
}

extension Folder {
  /// Copies the files of a recording; links and folders stay behind.
  fileprivate func copyFiles(to target: Folder) throws {
    for name in try readNames() where !name.hasPrefix(".") && status(of: name)?.isFile == true {
      try copy(name, to: target, as: name)
    }
    try target.syncTree()
  }
}
