import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// A pass with segments in a spill folder, as its take or the ledger of its recording tells it.
struct SpilledPass {
  /// The take; `nil` for what a ledger tells.
  var file: AudioFile?
  /// Of the take's file, or of the ledger. What lies elsewhere must be a file of the user whose this is.
  var place: Place
  var take: TakeManifest

  /// Whether a segment is at a path: a regular file of that user, which says itself that it is of this pass.
  /// - Parameter hashes: whether it must have its hash as well.
  func has(_ segment: RecordedSegmentFile, at path: String, hashes: Bool = false) -> Bool {
    var (alone, segment) = (take, segment)
    segment.name = path
    alone.segments = [segment]
    return (try? alone.faults(path: place.path, hashes: hashes).isEmpty) ?? false
  }

  /// Whether a file says itself that it is of this pass, whatever is left of it.
  fileprivate func isPart(_ path: String) -> Bool {
    has(RecordedSegmentFile(index: 0, startFrame: 0, frames: 0, name: path, dataOffset: 0, byteCount: 0), at: path)
  }
}

/// Identifies a segment, whatever its file is called.
struct SegmentKey: Hashable {
  var pass: Int64
  var index: Int
}

/// A segment in a spill folder that is not where the project says.
struct LostSpilledSegment {
  var key: SegmentKey
  /// Where the project says that it is.
  var path: String
  var file: RecordedSegmentFile
  var sha256: String
  /// What names it.
  var pass: SpilledPass
}

/// The segments of a project that lie in spill folders.
struct SpilledFiles {
  struct Row {
    var recording: Recording
    var segment: RecordedSegment
    var key: SegmentKey { SegmentKey(pass: segment.pass.rawValue, index: segment.index) }
  }

  /// Of the takes of the project, and of ledgers, for passes of which it has no such take.
  var passes: [Int64: [SpilledPass]] = [:]
  /// The rows of complete recordings.
  var rows: [Row] = []

  /// The segments that are not where takes and rows say. Those without a hash, which cannot be recognised, are left out.
  var lost: [LostSpilledSegment] {
    var lost: [LostSpilledSegment] = []
    var known: Set<SegmentKey> = []
    func add(_ segment: RecordedSegmentFile, of pass: SpilledPass, named path: String) {
      let key = SegmentKey(pass: pass.take.pass, index: segment.index)
      guard let sha256 = segment.sha256, !known.contains(key), !pass.has(segment, at: path) else { return }
      known.insert(key)
      lost.append(LostSpilledSegment(key: key, path: path, file: segment, sha256: sha256, pass: pass))
    }
    for pass in passes.sorted(by: { $0.key < $1.key }).flatMap(\.value) where pass.file != nil {
      for segment in pass.take.segments where segment.isSpilled { add(segment, of: pass, named: segment.name) }
    }
    let segments = segmentsByIndex
    for row in rows where row.recording.trashedAt == nil && row.segment.sha256 != nil {
      guard [.sealed, .recovered, .missing].contains(row.segment.state) else { continue }
      for (pass, byIndex) in zip(passes[row.key.pass] ?? [], segments[row.key.pass] ?? []) {
        guard let segment = byIndex[row.key.index]?.first(where: { $0.sha256 == row.segment.sha256 }),
          segment.isSpilled || pass.file != nil
        else { continue }
        add(segment, of: pass, named: row.segment.path)
        break
      }
    }
    return lost
  }

  /// The segments of each of `passes` by their index.
  private var segmentsByIndex: [Int64: [[Int: [RecordedSegmentFile]]]] {
    passes.mapValues { $0.map { Dictionary(grouping: $0.take.segments, by: \.index) } }
  }

  /// Where segments are, as far as that is known without a search: where a row or another take says, or beside a take
  /// or a ledger.
  func paths(of lostSegments: [LostSpilledSegment]) -> [SegmentKey: String] {
    if lostSegments.isEmpty { return [:] }
    let (rowsByKey, segments) = (Dictionary(grouping: rows, by: \.key), segmentsByIndex)
    var found: [SegmentKey: String] = [:]
    for lost in lostSegments {
      let name = (lost.file.name as NSString).lastPathComponent
      var paths = (rowsByKey[lost.key] ?? []).map(\.segment.path)
      for (pass, byIndex) in zip(passes[lost.key.pass] ?? [], segments[lost.key.pass] ?? []) {
        let folder = pass.place.parent
        paths += (byIndex[lost.key.index] ?? []).map { $0.isSpilled ? $0.name : folder.appending($0.name).path }
        paths.append(folder.appending(name).path)
      }
      found[lost.key] = paths.first { lost.pass.has(lost.file, at: $0, hashes: true) }
    }
    return found
  }

  /// The rows that name a file outside of the project that is not of their pass: another program wrote them.
  var foreign: [Row] {
    rows.filter { row in
      var status = stat()
      guard lstat(row.segment.path, &status) == 0 else { return false }
      return !(passes[row.key.pass] ?? []).contains { $0.isPart(row.segment.path) }
    }
  }
}

extension Session {
  /// Reads what takes, ledgers and rows say of segments in spill folders. No link in the project is followed.
  func spilledFiles() throws -> SpilledFiles {
    try read { view in
      var spilled = SpilledFiles()
      let takes = try view.audioFiles().compactMap { spilledPass($0) }
      spilled.passes = Dictionary(grouping: takes, by: \.take.pass)
      let told = Set(spilled.passes.keys)
      for id in try view.recordings.recordingIDs() {
        guard let recording = try view.recordings.recording(id), recording.isCompleted else { continue }
        let segments = try view.recordings.segments(of: id).filter(\.isOutside)
        guard !segments.isEmpty else { continue }
        spilled.rows += segments.map { SpilledFiles.Row(recording: recording, segment: $0) }
        let others = Set(segments.map(\.pass.rawValue)).subtracting(told)
        guard !others.isEmpty, let name = recording.folderName else { continue }
        let place = recording.trashedAt == nil ? recordings.appending(name) : trash.appending(id.uuidString)
        for pass in passes(others, toldIn: place) { spilled.passes[pass.take.pass, default: []].append(pass) }
      }
      return spilled
    }
  }

  /// - Returns: `nil` unless the file is a take in the project's folder and names segments in a spill folder.
  private func spilledPass(_ file: AudioFile) -> SpilledPass? {
    let location = file.location
    let names = location.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard TakeManifest.isNamed(location.path), names.count > 1, names[0] == "Audio",
      !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") })
    else { return nil }
    let place = Place(root: folder.path, names)
    guard (try? place.parent.open())?.status(of: place.name)?.isFile == true,
      let take = try? TakeManifest.read(path: place.path), take.segments.contains(where: \.isSpilled),
      (try? StreamingSHA256.hexDigest(of: place)) == location.sha256
    else { return nil }
    return SpilledPass(file: file, place: place, take: take)
  }

  /// What the ledger in the folder of a recording tells of some of its passes.
  private func passes(_ ids: Set<Int64>, toldIn place: Place) -> [SpilledPass] {
    guard let files = try? RecordingFolder(opening: place), let description = try? files.describe() else { return [] }
    return description.passes.filter { ids.contains($0.header.pass) }.map { pass in
      SpilledPass(
        file: nil, place: place.appending(Ledger.fileName), take: TakeManifest(pass, of: description.header))
    }
  }
}
