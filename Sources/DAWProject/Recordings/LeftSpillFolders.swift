import DAWMedia
import Foundation

/// The spill folders of a recording that its process has left. Each was made for this recording alone.
///
/// A ledger from elsewhere could name any folder. So one counts only if a file in it says itself that it is of the
/// recording, and in it only those files that the recording would have written next.
struct LeftSpillFolders {
  private var places: Set<Place> = []
  /// The greatest number of a track's files, by what their names begin with.
  private var lastNumbers: [String: Int] = [:]

  /// - Parameter place: of the recording's folder.
  init(of place: Place) {
    guard let folder = try? RecordingFolder(opening: place), let description = try? folder.describe() else { return }
    for pass in description.passes where pass.header.kind == .audio {
      let files = SpilledPass(
        file: nil, place: place.appending(Ledger.fileName), take: TakeManifest(pass, of: description.header))
      note(folder.segmentName(of: pass.header, index: 0))
      for segment in pass.segments {
        note((segment.name as NSString).lastPathComponent)
        let spill = Place(path: Path.folder(of: segment.name))
        guard segment.isSpilled, !spill.names.isEmpty, !places.contains(spill),
          files.has(segment, at: segment.name)
        else { continue }
        places.insert(spill)
      }
    }
  }

  private mutating func note(_ name: String) {
    guard let file = NumberedFile(name) else { return }
    lastNumbers[file.beginning] = max(lastNumbers[file.beginning] ?? 0, file.number)
  }

  /// Removes the files that were reserved and never written to.
  func removeReserved() {
    for place in places {
      guard let folder = try? place.open() else { continue }
      for name in folder.names() {
        guard let file = NumberedFile(name), let last = lastNumbers[file.beginning], file.number > last,
          let status = folder.status(of: name), status.isFile, status.st_size == 0, status.st_uid == geteuid()
        else { continue }
        try? folder.remove(name)
      }
    }
  }

  /// Removes the folders in which nothing is left.
  func removeEmpty() {
    for place in places { try? place.parent.open().removeFolder(place.name) }
  }
}

/// The name of a segment: "Vox.0003.wav".
private struct NumberedFile {
  var beginning: String
  var number: Int

  /// - Returns: `nil` for a name that no segment has.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[parts.count - 1] == "wav", !parts[0].isEmpty else { return nil }
    let digits = parts[parts.count - 2]
    guard digits.count >= 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
      return nil
    }
    beginning = parts.dropLast(2).joined(separator: ".")
    self.number = number
  }
}
