import DAWTime

/// The chunk `dawR` in front of a segment's sound: the ledger's records that concern the file, as lines of the ledger,
/// so that a recording can be put together from its files alone. Zeros follow up to the chunk's end.
struct SegmentChunk {
  static let name = "dawR"

  var recording: RecordingHeader
  var pass: PassHeader
  /// As it was begun.
  var file: RecordedSegmentFile
  /// Gaps since the file before, and pieces and gaps in this one, as far as there is room.
  var notes: [LedgerRecord]

  private var mainRecords: [LedgerRecord] {
    [.begin(recording), .pass(pass), .segment(pass: pass.pass, file)]
  }

  /// - Parameter byteCount: room for `mainRecords` at least.
  func bytes(byteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for record in mainRecords { CheckedLine.append(record.json, to: &bytes) }
    for note in notes {
      let length = bytes.count
      CheckedLine.append(note.json, to: &bytes)
      if bytes.count > byteCount {
        bytes.removeLast(bytes.count - length)
        break
      }
    }
    return bytes + [UInt8](repeating: 0, count: max(0, byteCount - bytes.count))
  }

  /// Bytes without notes.
  var leastByteCount: Int {
    var bytes: [UInt8] = []
    for record in mainRecords { CheckedLine.append(record.json, to: &bytes) }
    return bytes.count
  }

  /// - Returns: `nil` if one of the main records is damaged, or of another pass.
  init?(parsing bytes: [UInt8]) {
    var records: [LedgerRecord] = []
    var parser = LedgerRecordParser()
    _ = bytes.withUnsafeBytes { bytes in
      CheckedLine.forEach(in: bytes) { json in
        guard let record = parser.record(json) else { return false }
        records.append(record)
        return true
      }
    }
    guard records.count >= 3, case .begin(let recording) = records[0], case .pass(let pass) = records[1],
      case .segment(pass.pass, let file) = records[2], pass.kind == .audio
    else { return nil }
    self.init(recording: recording, pass: pass, file: file, notes: Array(records[3...]))
  }

  init(recording: RecordingHeader, pass: PassHeader, file: RecordedSegmentFile, notes: [LedgerRecord] = []) {
    self.recording = recording
    self.pass = pass
    self.file = file
    self.notes = notes
  }
}

/// The header of a segment: a Broadcast Wave header with `dawR`. Its length is the same whatever is noted in it, a
/// multiple of 4 KiB.
struct SegmentHeader {
  var chunk: SegmentChunk { didSet { chunkBytes = nil } }
  /// What `chunk` is in the file: it is written each second, and seldom changes.
  private var chunkBytes: [UInt8]?
  private let wave: WaveFileHeader
  private let chunkByteCount: Int
  /// The length: the offset of the sound.
  let byteCount: Int

  /// - Parameters:
  ///   - timelineFrame: of its first frame.
  ///   - time: when its first frame was recorded.
  init(_ chunk: SegmentChunk, timelineFrame: Int64, time: LocalTime) {
    self.init(chunk, timelineFrame, time) { least in
      (least + Self.roomForNotes + Self.alignment - 1) / Self.alignment * Self.alignment
    }
  }

  /// A header of a given length, for a file whose own is lost.
  /// - Returns: `nil` if it does not fit.
  init?(_ chunk: SegmentChunk, timelineFrame: Int64, time: LocalTime, byteCount: Int) {
    guard byteCount % 2 == 0, byteCount < 1 << 20 else { return nil }
    self.init(chunk, timelineFrame, time) { _ in byteCount }
    guard chunkByteCount >= self.chunk.leastByteCount else { return nil }
  }

  private init(_ chunk: SegmentChunk, _ timelineFrame: Int64, _ time: LocalTime, byteCount: (_ least: Int) -> Int) {
    let (recording, pass) = (chunk.recording, chunk.pass)
    var description = WaveDescription(
      description: pass.trackName, originator: "daw", timeReference: max(0, timelineFrame))
    description.date = time.date
    description.time = "\(time.hour):\(time.minute):\(time.second)"
    let format = Self.format(recording, pass)
    let withoutChunk = WaveFileHeader(format: format, description: description).bytes(frameCount: 0).count
    self.byteCount = byteCount(withoutChunk + 8 + chunk.leastByteCount)
    chunkByteCount = self.byteCount - withoutChunk - 8
    self.chunk = chunk
    // The room for notes has the digits that these have more than 0.
    self.chunk.file.dataOffset = Int64(self.byteCount)
    self.chunk.file.byteCount = Int64(self.byteCount)
    wave = WaveFileHeader(format: format, description: description)
  }

  static func format(_ recording: RecordingHeader, _ pass: PassHeader) -> AudioFileFormat {
    AudioFileFormat(
      encoding: recording.encoding, sampleRate: SampleRate(hertz: recording.sampleRate), channelCount: pass.channelCount
    )
  }

  /// - Parameter frameCount: frames in the file.
  mutating func bytes(frameCount: Int64) -> [UInt8] {
    let bytes = chunkBytes ?? chunk.bytes(byteCount: chunkByteCount)
    chunkBytes = bytes
    var wave = wave
    wave.description?.segmentChunk = bytes
    return wave.bytes(frameCount: frameCount)
  }

  private static let alignment = 4_096
  private static let roomForNotes = 1_024
}

/// What a segment's file tells of itself.
struct FoundSegment {
  var chunk: SegmentChunk
  var header: WaveHeader
  /// Whole frames in it by its length, at most those of a full one.
  var frames: Int64
  var byteCount: Int64

  /// Reads the headers of a file.
  /// - Returns: `nil` if it is no segment, or damaged.
  init?(_ file: OpenAudioFile) throws(AudioFileError) {
    guard let chunk = try Self.chunk(of: file), let header = try WaveHeader.read(from: file),
      header.encoding == chunk.recording.encoding, header.channelCount == chunk.pass.channelCount,
      header.dataOffset <= file.byteCount
    else { return nil }
    self.chunk = chunk
    self.header = header
    byteCount = file.byteCount
    let bytesPerFrame = Int64(header.channelCount * header.encoding.bytesPerSample)
    frames = min((byteCount - header.dataOffset) / bytesPerFrame, chunk.recording.segmentFrames)
  }

  /// Looks for the chunk among the first few; what a header claims further behind is not looked at.
  private static func chunk(of file: OpenAudioFile) throws(AudioFileError) -> SegmentChunk? {
    var offset: Int64 = 12
    for _ in 0..<8 {
      let head = try file.bytes(at: offset, count: 8)
      guard head.count == 8 else { return nil }
      let size = Int64(head.uint32(at: 4))
      if head.text(at: 0) == SegmentChunk.name {
        guard size <= greatestByteCount else { return nil }
        return SegmentChunk(parsing: try file.bytes(at: offset + 8, count: Int(size)))
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  private static let greatestByteCount: Int64 = 1 << 18
}
