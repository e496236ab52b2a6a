import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// Segments in spill folders that were found again, and where.
typealias FoundSegments = [SegmentKey: (segment: LostSpilledSegment, path: String)]

/// A take that was written anew because segments of it lie elsewhere now. The file that it was stays: undo leads to it.
struct RenamedTake {
  /// As the project has it.
  var file: AudioFile
  var location: MediaLocation
  var place: Place
  /// The names of segments that lie beside it now.
  var ownNames: [String] = []
}

extension Session {
  /// Writes the takes of which segments were found elsewhere, each beside the one that it replaces. What lies outside
  /// of the project stays there, as when it was recorded; what lies in it is copied beside the take.
  /// - Throws: `Failure` and errors of files; no take is left, but copies of segments may be.
  func renamedTakes(_ spilled: SpilledFiles, _ found: FoundSegments) throws -> [RenamedTake] {
    var renamed: [RenamedTake] = []
    do {
      for pass in spilled.passes.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
        guard let file = pass.file else { continue }
        var (take, ownNames) = (pass.take, [String]())
        for index in take.segments.indices where take.segments[index].isSpilled {
          let segment = take.segments[index]
          let key = SegmentKey(pass: take.pass, index: segment.index)
          guard let (lost, path) = found[key], lost.sha256 == segment.sha256,
            !pass.has(segment, at: segment.name)
          else { continue }
          take.segments[index].name = try name(of: lost, foundAt: path, in: pass.place.parent)
          if !take.segments[index].isSpilled { ownNames.append(take.segments[index].name) }
        }
        guard take != pass.take else { continue }
        var written = try write(take, beside: pass.place, for: file)
        written.ownNames = ownNames
        renamed.append(written)
      }
    } catch {
      for take in renamed { take.place.removeAll() }
      throw error
    }
    return renamed
  }

  /// Lets the rows of segments that were found say where they are.
  /// - Throws: `Failure`; what was done for other recordings is kept.
  func noteFound(_ spilled: SpilledFiles, _ found: FoundSegments) throws {
    for (id, rows) in Dictionary(grouping: spilled.rows, by: \.recording.id) {
      var paths: [SegmentKey: String] = [:]
      for row in rows where row.recording.trashedAt == nil {
        guard let (lost, path) = found[row.key], lost.sha256 == row.segment.sha256,
          !lost.pass.has(lost.file, at: row.segment.path), let folderName = row.recording.folderName
        else { continue }
        let name = try name(of: lost, foundAt: path, in: recordings.appending(folderName))
        paths[row.key] = name.hasPrefix("/") ? name : "\(row.recording.folder)/\(name)"
      }
      if paths.isEmpty { continue }
      try failing {
        try store.recordings.save { view -> (facts: RecordingFacts?, value: Void) in
          // Another process may have moved it to the trash, or forgotten it.
          guard let facts = try view.recordings.facts(of: id), facts.recording.trashedAt == nil else {
            return (nil, ())
          }
          let changed = facts.segments.compactMap { segment -> RecordedSegment? in
            let key = SegmentKey(pass: segment.pass.rawValue, index: segment.index)
            guard segment.isOutside, let path = paths[key], segment.sha256 == found[key]?.segment.sha256 else {
              return nil
            }
            var segment = segment
            segment.path = path
            if segment.state == .missing { segment.state = .recovered }
            return segment
          }
          return (changed.isEmpty ? nil : RecordingFacts(facts.recording, segments: changed), ())
        }
      }
    }
  }

  /// What a take in a folder, or the recording that has it, calls a segment: a name in the folder, or a whole path.
  private func name(of lost: LostSpilledSegment, foundAt path: String, in place: Place) throws -> String {
    func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    let found = resolved(path)
    guard found.hasPrefix(resolved(folder.path) + "/") else { return path }
    let ownName = (found as NSString).lastPathComponent
    if found == resolved(place.path) + "/" + ownName { return ownName }
    let name = (lost.file.name as NSString).lastPathComponent
    try copyIn(path, as: place.appending(name), sha256: lost.sha256)
    return name
  }

  private func write(_ take: TakeManifest, beside old: Place, for file: AudioFile) throws -> RenamedTake {
    let target: RecordingFolder
    do throws(SystemCallFailure) {
      target = try RecordingFolder(opening: old.parent)
    } catch {
      throw Failure(
        .io, code: "io", "'\(old.parent.path)' cannot be opened: \(String(cString: strerror(error.code))).")
    }
    var base = (old.name as NSString).deletingPathExtension
    // Without the number that it has where it is such a file itself.
    if let space = base.lastIndex(of: " "), space > base.startIndex, Int(base[base.index(after: space)...]) != nil {
      base = String(base[..<space])
    }
    var number = 2
    while true {
      let ending = " \(number)\(TakeManifest.ending)"
      var name = base
      while !name.isEmpty, name.utf8.count + ending.utf8.count > Int(NAME_MAX) { name.removeLast() }
      let place = old.parent.appending(name + ending)
      do throws(AudioFileWriteError) {
        let written = try take.write(in: target, named: place.name)
        guard (try? TakeManifest.read(path: place.path)) == take else {
          place.removeAll()
          throw AudioFileWriteError.system(path: place.path, failure: SystemCallFailure(call: "read", code: EILSEQ))
        }
        let location = MediaLocation(
          path: place.names.joined(separator: "/"), sha256: written.sha256, byteCount: written.byteCount,
          modificationTime: folder.modificationTime(of: place.path) ?? 0)
        return RenamedTake(file: file, location: location, place: place)
      } catch {
        guard case .exists = error else { throw error }
        number += 1
      }
    }
  }
}

extension Editor {
  /// Lets a take have the file that was written for it.
  /// - Returns: false if another process has changed the take meanwhile, or the project has such a file already.
  func rename(_ take: RenamedTake) throws -> Bool {
    // Until now no edit named these files: 'daw clean' may have removed them.
    guard let beside = try? take.place.parent.open(),
      take.ownNames.allSatisfy({ beside.status(of: $0)?.isFile == true }),
      (try? StreamingSHA256.hexDigest(of: take.place)) == take.location.sha256
    else { return false }
    guard var file = try view.audioFile(take.file.id), file.location.sha256 == take.file.location.sha256,
      try view.audioFile(withHash: take.location.sha256) == nil
    else { return false }
    file.location = take.location
    try apply(.set(file))
    return true
  }
}
