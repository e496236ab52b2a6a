import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

/// Records passes of random blocks, gaps, holes and locates, and knows what was recorded.
final class RecordingDriver {
  /// A pass as it should be read back.
  struct Expected {
    var header: PassHeader
    /// Interleaved; zeros in gaps.
    var samples: [Float] = []
  }

  let folder: RecordingFolder
  let header: RecordingHeader
  let ledger: Ledger
  private(set) var description: RecordingDescription
  private(set) var passes: [Expected] = []
  private var random: SeededGenerator

  init(
    in recordings: String, seed: UInt64, encoding: SampleEncoding = .int24, segmentFrames: Int64 = 3_000
  ) throws {
    random = SeededGenerator(seed: seed)
    folder = try RecordingFolder(
      creatingIn: Place(root: recordings, ["Recordings"]), title: "Verse", startTime: 1_795_357_380_000)
    header = RecordingHeader(
      project: "0b9ad1a1-2c5f-4d7c-8a2f-2ad2ffb54cf3", recording: .random(in: 1...9, using: &random), title: "Verse",
      startTime: 1_795_357_380_000, sampleRate: 48_000, encoding: encoding, segmentFrames: segmentFrames,
      owner: .current)
    ledger = try Ledger(creatingIn: folder)
    description = RecordingDescription(header: header)
    try record([.begin(header)])
  }

  func record(_ records: [LedgerRecord]) throws {
    for record in records { description.apply(record) }
    try ledger.append(records)
  }

  /// A pass that is neither sealed nor ended yet.
  func begin(
    track: Int64 = 7, name: String = "Vox", number: Int = 1, channels: Int = 2, firstSegment: Int = 1
  ) throws -> SegmentWriter {
    let pass = PassHeader(
      pass: track * 100 + Int64(number), take: track * 1_000 + Int64(number), track: track, trackName: name,
      number: number, channelCount: channels, inputs: (1...channels).map { "system:capture_\($0)" },
      firstHostFrame: .random(in: 0...1 << 40, using: &random), captureLatency: 256, playbackLatency: 512,
      recordOffset: -12)
    try record([.pass(pass)])
    passes.append(Expected(header: pass))
    let writer = try SegmentWriter(in: folder, pass: pass, header: header, firstSegment: firstSegment)
    writer.locate(to: .random(in: -1_000...1_000_000, using: &random))
    return writer
  }

  /// Writes random blocks, gaps, holes and locates.
  func fill(_ writer: SegmentWriter, steps: Int) throws {
    for _ in 0..<steps {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        let count = Int64.random(in: 1...9_000, using: &random)
        try writer.writeSilence(frameCount: count, cause: random.cause())
        silence(writer, count)
      case 1:
        let count = Int64.random(in: 1...20_000, using: &random)
        try writer.skip(frameCount: count, cause: random.cause())
        silence(writer, count)
      case 2: writer.locate(to: .random(in: 0...1_000_000, using: &random))
      case 3: try writer.refreshHeader()
      case 4: try writer.flush()
      case 5: try writer.reserveNext()
      default: try write(writer, frames: Int.random(in: 1...2_000, using: &random))
      }
      try record(writer.takeRecords())
    }
  }

  /// Writes random samples.
  func write(_ writer: SegmentWriter, frames: Int) throws {
    let channels = writer.pass.channelCount
    let scale: Float = header.encoding == .int16 ? 32_768 : 8_388_608
    let buffer = PlanarBuffer(channelCount: channels, capacity: frames)
    var samples: [Float] = []
    for _ in 0..<frames * channels {
      samples.append((Float.random(in: -0.99...0.99, using: &random) * scale).rounded() / scale)
    }
    buffer.fill(interleaved: samples, frameCount: frames)
    try writer.write(buffer.channels, frameCount: frames)
    let place = try #require(passes.firstIndex { $0.header.pass == writer.pass.pass })
    passes[place].samples += samples
  }

  private func silence(_ writer: SegmentWriter, _ frames: Int64) {
    for place in passes.indices where passes[place].header.pass == writer.pass.pass {
      passes[place].samples += [Float](repeating: 0, count: Int(frames) * writer.pass.channelCount)
    }
  }

  /// Seals a pass, and writes its manifest.
  @discardableResult
  func end(_ writer: SegmentWriter) throws -> String {
    try writer.seal()
    try record(writer.takeRecords() + [.endPass(pass: writer.pass.pass, frames: writer.nextFrame)])
    let name = folder.takeName(of: writer.pass)
    let pass = try #require(description[pass: writer.pass.pass])
    let written = try TakeManifest(pass, of: header).write(in: folder, named: name)
    let digest = try sha256(ofFile: written.path)
    #expect(digest.sha256 == written.sha256 && digest.byteCount == written.byteCount)
    return written.path
  }

  func end() throws { try record([.end(endTime: 1_795_357_390_000)]) }
}

extension SeededGenerator {
  fileprivate mutating func cause() -> GapCause {
    GapCause.allCases.filter { $0 != .lostEvents }.randomElement(using: &self) ?? .xrun
  }
}
