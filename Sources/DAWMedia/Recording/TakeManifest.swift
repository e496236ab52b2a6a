import DAWTime
import Glibc

/// The file of a take's sound, `Vox.1.take`: a text that names the segments in order. Whatever reads audio files reads
/// it as one file of all frames of the pass; those that are in no segment are silence.
///
/// A line `daw-take 1`, a line of JSON with rate, encoding, channels and frames, and one for each segment with its
/// name, frames, length and SHA-256. So the manifest's own hash stands for the sound. Segments lie in the manifest's
/// folder; one that lies elsewhere has an absolute path, and `SpilledSegment` says when that is followed.
public struct TakeManifest: Hashable, Sendable {
  public var recording: Int64
  public var pass: Int64
  public var sampleRate: SampleRate
  public var encoding: SampleEncoding
  public var channelCount: Int
  /// Frames of the pass, without those that passed after a server was lost.
  public var frames: Int64
  /// In order; each is within the frames, and none overlaps the next.
  public var segments: [RecordedSegmentFile]

  /// The ending of the file's name.
  public static let ending = ".take"
  static let magic = Array("daw-take 1\n".utf8)
  /// Bounds the memory for another's file.
  private static let maximumByteCount: Int64 = 1 << 28
  /// Likewise: a pass of eleven days in files of a second.
  static let maximumSegmentCount = 1_000_000

  /// The sound of a pass. A segment that is missing is named, so that it is found when it is put back; until then it
  /// cannot be read.
  public init(_ pass: RecordingDescription.Pass, of recording: RecordingHeader) {
    self.recording = recording.recording
    self.pass = pass.header.pass
    sampleRate = SampleRate(hertz: recording.sampleRate)
    encoding = recording.encoding
    channelCount = pass.header.channelCount
    frames = pass.recordedFrames
    segments = pass.segments.filter { $0.frames > 0 }
  }

  // MARK: Writing

  /// Writes it into its recording's folder, under a temporary name that it loses when it is on disk. An existing file
  /// is `.exists`.
  /// - Returns: the path, and what a project records of the file.
  @discardableResult
  public func write(
    in folder: RecordingFolder, named name: String
  ) throws(AudioFileWriteError) -> (path: String, sha256: String, byteCount: Int64) {
    let (place, bytes) = (folder.place.appending(name), bytes)
    try writeWholeFile(bytes, at: place, replaces: false, mode: 0o600)
    var hash = StreamingSHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return (place.path, hash.hexDigest(), Int64(bytes.count))
  }

  /// Writes the takes of a recording, replacing files that no project names yet, as `write` does.
  public static func write(
    _ takes: [(name: String, manifest: TakeManifest)], in folder: RecordingFolder
  ) throws(AudioFileWriteError) {
    try writeWholeFiles(takes.map { ($0.name, $0.manifest.bytes) }, in: folder.place, mode: 0o600)
  }

  var bytes: [UInt8] {
    var bytes = Self.magic
    var json = FlatJSON()
    json.add("recording", recording)
    json.add("pass", pass)
    json.add("sampleRate", sampleRate.hertz)
    json.add("encoding", encoding.rawValue)
    json.add("channels", channelCount)
    json.add("frames", frames)
    json.add("segments", segments.count)
    bytes += json.bytes + [UInt8(ascii: "\n")]
    for segment in segments {
      var json = FlatJSON()
      segment.add(to: &json)
      bytes += json.bytes + [UInt8(ascii: "\n")]
    }
    return bytes
  }

  // MARK: Reading

  /// Whether a name is that of a manifest.
  public static func isNamed(_ path: String) -> Bool { path.hasSuffix(ending) }

  /// - Returns: `nil` if the file is no manifest.
  /// - Throws: `.damaged`; the errors of opening.
  public static func read(path: String) throws(AudioFileError) -> TakeManifest? {
    try read(from: try OpenAudioFile(path: path))
  }

  static func read(from file: OpenAudioFile) throws(AudioFileError) -> TakeManifest? {
    guard try file.bytes(at: 0, count: magic.count) == magic else { return nil }
    guard file.byteCount <= maximumByteCount else { throw .damaged(path: file.path, reason: "too long for a take") }
    // Where there are fewer bytes, there are fewer lines.
    if file.byteCount > Int64(maximumSegmentCount) { try requireAcceptedCount(of: file) }
    let bytes = try file.bytes(at: 0, count: Int(file.byteCount))
    guard let manifest = TakeManifest(parsing: bytes) else {
      throw .damaged(path: file.path, reason: "a take's list of segments that is not whole")
    }
    return manifest
  }

  /// Counts the lines before they are held in memory.
  private static func requireAcceptedCount(of file: OpenAudioFile) throws(AudioFileError) {
    var (lineCount, offset) = (0, Int64(0))
    while offset < file.byteCount {
      let piece = try file.bytes(at: offset, count: 1 << 18)
      if piece.isEmpty { return }
      for byte in piece where byte == UInt8(ascii: "\n") { lineCount += 1 }
      guard lineCount - 2 <= maximumSegmentCount else {
        throw .damaged(path: file.path, reason: "a take of more than \(maximumSegmentCount) segments")
      }
      offset += Int64(piece.count)
    }
  }

  private init?(parsing bytes: [UInt8]) {
    guard bytes.last == UInt8(ascii: "\n") else { return nil }
    var lines = bytes.dropFirst(Self.magic.count).dropLast()
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    let anyID = Int64.min...Int64.max
    guard let json = lines.popFirst()?.withUnsafeBytes({ FlatJSON(parsing: $0) }),
      let recording = json.number("recording", in: anyID), let pass = json.number("pass", in: anyID),
      let hertz = json.number("sampleRate", in: 1...Int64(AudioFileFacts.acceptedRates.upperBound)),
      let encoding = json.text("encoding").flatMap(SampleEncoding.init), RecordingHeader.encodings.contains(encoding),
      let channels = json.number("channels", in: RecordingLimits.channelCounts), channels > 0,
      let frames = json.number("frames", in: RecordingLimits.frames), json["segments"] == .number(Int64(lines.count))
    else { return nil }
    let bytesPerFrame = channels * Int64(encoding.bytesPerSample)
    var segments: [RecordedSegmentFile] = []
    var end: Int64 = 0
    for line in lines {
      guard let segment = line.withUnsafeBytes({ FlatJSON(parsing: $0).flatMap(RecordedSegmentFile.init) }),
        segment.startFrame >= end, segment.frames > 0, segment.end <= frames,
        segment.byteCount <= RecordingLimits.segmentBytes,
        segment.frames <= (segment.byteCount - segment.dataOffset) / bytesPerFrame
      else { return nil }
      end = segment.end
      segments.append(segment)
    }
    self.recording = recording
    self.pass = pass
    self.sampleRate = SampleRate(hertz: Int(hertz))
    self.encoding = encoding
    self.channelCount = Int(channels)
    self.frames = frames
    self.segments = segments
  }

  /// The paths of the segments of a manifest, as they are now: recorded or compressed; empty if the file is none. Any
  /// of them may be missing.
  /// - Throws: as `read`.
  public static func files(of path: String) throws(AudioFileError) -> [String] {
    guard isNamed(path) else { return [] }
    let folder = Path.folder(of: path)
    let open = try? Folder(path: folder)
    return try read(path: path)?.segments.map { segment in
      if segment.isSpilled { return segment.name }
      return Path.joining(
        folder, open.flatMap { CompressedSegment.nameAtHand(of: segment.name, in: $0) } ?? segment.name)
    } ?? []
  }

  /// Checks the segments: that each is there with its length, and if asked for, that it has its hash. One that was
  /// compressed since has another hash, which the manifest does not know; it is decoded instead.
  /// - Parameter path: the manifest's, or that of any other file, which has no faults.
  /// - Returns: `.missing`, `.endsEarly`, `.damaged` and others with the path of a segment, in order.
  /// - Throws: as `read`.
  public static func faults(path: String, hashes: Bool) throws(AudioFileError) -> [AudioFileError] {
    guard isNamed(path), let take = try read(path: path) else { return [] }
    return try take.faults(path: path, hashes: hashes)
  }

  /// The same for a manifest that was read.
  public func faults(path: String, hashes: Bool) throws(AudioFileError) -> [AudioFileError] {
    let files = try TakeFiles(self, path: path)
    var faults: [AudioFileError] = []
    for index in segments.indices {
      do throws(AudioFileError) {
        try check(index, of: files, hashes: hashes)
      } catch {
        faults.append(error)
      }
    }
    return faults
  }

  private func check(_ index: Int, of files: TakeFiles, hashes: Bool) throws(AudioFileError) {
    let file: OpenAudioFile
    switch try files.open(index) {
    case .recorded(let opened): file = opened
    case .compressed(let opened):
      let reader = try CompressedSegmentReader(opened, as: files.sound(index))
      return hashes ? try reader.readWhole() : ()
    }
    guard hashes, let expected = segments[index].sha256 else { return }
    let changed = AudioFileError.damaged(path: file.path, reason: "not what was recorded")
    // A file of another length, which may be huge, is not read.
    guard file.byteCount == segments[index].byteCount else { throw changed }
    let found: String
    do throws(SystemCallFailure) {
      found = try StreamingSHA256.hexDigest(ofFile: file.number)
    } catch {
      throw .system(path: file.path, failure: error)
    }
    guard found == expected else { throw changed }
  }
}

extension AudioFileFacts {
  /// - Parameter path: the manifest's.
  init(_ take: TakeManifest, path: String) throws(AudioFileError) {
    let count = take.segments.count
    // Sound that was compressed is decoded once, into a copy.
    let isCompressed = try TakeFiles(take, path: path).holdsCompressed
    try self.init(
      path: path, frames: take.frames, hertz: take.sampleRate.hertz, channelCount: take.channelCount,
      format:
        "recorded WAV, \(take.encoding), \(count) segment\(count == 1 ? "" : "s")\(isCompressed ? ", compressed" : "")",
      pcmLayout: nil, seeksExactly: !isCompressed, warnings: [], isTake: true)
  }
}
