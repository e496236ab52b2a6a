import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// The segments that `daw check` has met in takes, so that it names none of their files twice.
struct CheckedTakes {
  /// Those of all takes that could be read.
  fileprivate(set) var known: Set<SegmentKey> = []
  /// Those of which something was said, and the paths of their files.
  fileprivate(set) var reported: Set<SegmentKey> = []
  fileprivate var reportedPaths: Set<String> = []
  /// The segments that were compressed, of all passes of the recordings that were looked at.
  fileprivate var compressed: [PassID: [RecordedSegment]] = [:]
}

extension Session {
  /// What is wrong with the segments of a take, but for files that were named before.
  /// - Returns: `nil` if nothing is, for another file, and where the take's own file is missing or broken.
  func segmentFindings(_ location: MediaLocation, noting checked: inout CheckedTakes) -> [CheckFinding]? {
    guard TakeManifest.isNamed(location.path), let path = folder.find(location),
      let take = try? TakeManifest.read(path: path), let faults = try? take.faults(path: path, hashes: true)
    else { return nil }
    checked.known.formUnion(take.segments.map { SegmentKey(pass: take.pass, index: $0.index) })
    var found = compressedFindings(take, location, in: path, noting: &checked)
    if found.isEmpty, faults.isEmpty { return nil }
    let segments = SegmentsByPath(take)
    for fault in faults {
      found.append((fault.path, finding(of: fault, segments[fault.path], location)))
    }
    return found.compactMap { path, finding -> CheckFinding? in
      if let segment = segments[path] {
        checked.reported.insert(SegmentKey(pass: take.pass, index: segment.index))
      }
      return checked.reportedPaths.insert(path).inserted ? finding : nil
    }
  }

  private func finding(
    of fault: AudioFileError, _ segment: RecordedSegmentFile?, _ location: MediaLocation
  ) -> CheckFinding {
    let hash = segment?.sha256.map { ": its SHA-256 is \($0)." }
    let hint = "Put it back" + (hash ?? " from a copy of the project.")
    let subject = "The file '\(fault.path)' of the take '\(location.path)'"
    return switch fault {
    case .missing:
      CheckFinding(
        code: "missing", message: "\(subject) is missing.",
        hint: hash.map { "Put it back, or let 'daw relink --search FOLDER' find it" + $0 } ?? hint)
    case .damaged, .endsEarly:
      CheckFinding(code: "changed", message: "\(subject) is not what was recorded.", hint: hint)
    default: CheckFinding(code: "unreadable", message: "\(subject) cannot be read: \(fault)", hint: hint)
    }
  }

  /// What is wrong with segments that were compressed: the rows know their hashes, the manifest does not.
  /// - Returns: with the paths of their files.
  private func compressedFindings(
    _ take: TakeManifest, _ location: MediaLocation, in path: String, noting checked: inout CheckedTakes
  ) -> [(path: String, finding: CheckFinding)] {
    let pass = PassID(rawValue: take.pass)
    if checked.compressed[pass] == nil, let ofRecording = try? compressedSegments(ofRecordingWith: pass) {
      checked.compressed.merge(ofRecording) { $1 }
    }
    let rows = checked.compressed[pass] ?? []
    if rows.isEmpty { return [] }
    let byName = Dictionary(rows.map { (($0.path as NSString).lastPathComponent, $0) }) { first, _ in first }
    var findings: [(path: String, finding: CheckFinding)] = []
    for file in (try? TakeManifest.files(of: path)) ?? [] {
      guard let row = byName[(file as NSString).lastPathComponent], let expected = row.sha256,
        let state = FileState(of: file)
      else { continue }
      // One of another size, which may be huge, is not read.
      if state.byteCount == row.fileSize {
        guard let found = try? sha256(ofFile: file).sha256, found != expected else { continue }
      }
      let finding = CheckFinding(
        code: "changed",
        message: "The file '\(file)' of the take '\(location.path)' is not what its segment was compressed to.",
        hint: "Put it back: its SHA-256 is \(expected).")
      findings.append((file, finding))
    }
    return findings
  }

  /// Those of all passes of the recording that has a pass: a recording may have thousands of passes, and is read once.
  private func compressedSegments(ofRecordingWith pass: PassID) throws -> [PassID: [RecordedSegment]] {
    try read { view in
      guard let recording = try view.recordings.passes([pass]).first?.recording else { return [:] }
      var segments: [PassID: [RecordedSegment]] = [:]
      for pass in try view.recordings.passes(of: [recording]) { segments[pass.id] = [] }
      for segment in try view.recordings.segments(of: recording) where segment.recordedSHA256 != nil {
        segments[segment.pass, default: []].append(segment)
      }
      return segments
    }
  }
}

/// The segments of a take by the paths at which they lie, as they were recorded or compressed.
private struct SegmentsByPath {
  private let byName: [String: RecordedSegmentFile]

  init(_ take: TakeManifest) { byName = Dictionary(take.segments.map { ($0.name, $0) }) { first, _ in first } }

  subscript(path: String) -> RecordedSegmentFile? {
    let name = (path as NSString).lastPathComponent
    return byName[path] ?? byName[CompressedSegment.recordedName(of: name) ?? name]
  }
}
