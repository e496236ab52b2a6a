import DAWRealtime

/// Where the streams of a plan come from when nobody has to be in time: files are read where they are needed, in pieces
/// that stay in the second-level cache; instruments are rendered ahead. Shared by all threads of a bounce.
public final class DirectStreams: Sendable {
  let plan: RenderPlan
  let instruments: RenderedAhead
  private let files: OpenFiles<OpenFile>
  private let decodedFiles: OpenFiles<DecodedFile>

  /// - Parameters:
  ///   - instruments: what the plan's instruments play.
  ///   - openReader: opens a source that has to be decoded.
  public init(
    _ plan: RenderPlan, instruments: RenderedAhead,
    openReader: @escaping SampleReaderOpener = openAudioFile
  ) {
    self.plan = plan
    self.instruments = instruments
    let sources = plan.sources
    files = OpenFiles(capacity: 256) { (index) throws(StreamError) in try OpenFile(path: sources[index].path) }
    decodedFiles = OpenFiles(capacity: 64) { (index) throws(StreamError) in
      DecodedFile(sources[index], reader: try openReader(sources[index]))
    }
  }

  /// - Parameter bytes: room for `frameCount` frames of the source.
  /// - Returns: frames read, at least 1.
  func read(
    source index: Int, from frame: Int64, frameCount: Int, into bytes: UnsafeMutableRawPointer
  ) throws(StreamError) -> Int {
    let source = plan.sources[index]
    switch source.content {
    case .plain(let layout):
      try files.file(of: index).read(
        at: layout.dataOffset + frame * Int64(source.bytesPerFrame), into: bytes,
        count: frameCount * source.bytesPerFrame,
        frame: frame)
      return frameCount
    case .decoded: return try decodedFiles.file(of: index).read(from: frame, frameCount: frameCount, into: bytes)
    }
  }
}

/// Runs a plan by reading what it asks for, then and there. One for each thread of a bounce; never the audio thread.
public final class DirectFeeder {
  private let streams: DirectStreams
  private let plan: LinkedPlan
  public let runner: PlanRunner
  private let bytes: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - maximumFrames: frames in a slice, at least 1. No value changes a bit.
  public init(_ streams: DirectStreams, maximumFrames: Int, instructions: Instructions = .best) {
    self.streams = streams
    plan = LinkedPlan(streams.plan, maximumFrames: maximumFrames, instructions: instructions)
    runner = PlanRunner(plan)
    let widest = streams.plan.sources.lazy.map(\.bytesPerFrame).max() ?? 1
    bytes = .allocate(byteCount: max(widest, LinkedPlan.pieceSamples * 8), alignment: 64)
  }

  deinit { bytes.deallocate() }

  /// Renders a block.
  /// - Parameters:
  ///   - frame: timeline frame of the first one.
  ///   - left: room for `frameCount` samples.
  ///   - right: likewise.
  ///   - frameCount: any number; longer blocks than `maximumFrames` are sliced.
  /// - Throws: `StreamError`; the block is not valid then.
  public func render(
    frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frameCount: Int
  ) throws(StreamError) {
    let flags = DenormalFlags.flush()
    defer { flags.restore() }
    var done = 0
    while done < frameCount {
      let count = min(plan.maximumFrames, frameCount - done)
      try run(frame: frame + Int64(done), frameCount: count)
      (left + done).update(from: runner.left, count: count)
      (right + done).update(from: runner.right, count: count)
      done += count
    }
  }

  private func run(frame: Int64, frameCount: Int) throws(StreamError) {
    runner.begin(frame: frame, frameCount: frameCount)
    while let request = runner.next() {
      switch request.stream {
      case .region(_, let source):
        let count = try streams.read(
          source: source, from: request.firstFrame, frameCount: request.frameCount, into: bytes)
        runner.supply(bytes, frameCount: count)
      case .instrument(let index):
        try streams.instruments.withFrames(of: index, from: request.firstFrame, atMost: request.frameCount) {
          (left, right, count) in runner.supply(left: left, right: right, frameCount: count)
        }
      }
    }
  }
}
