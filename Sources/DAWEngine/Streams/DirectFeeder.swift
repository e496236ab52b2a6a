import DAWMedia
import DAWRealtime
import DAWTime

/// A plan's streams without a real-time deadline: files are read on demand, in pieces that fit the L2 cache;
/// instruments are rendered ahead. Shared by all threads of a bounce.
public final class DirectStreams: Sendable {
  let plan: RenderPlan
  let instruments: RenderedAhead?
  private let openReader: SampleReaderOpener
  private let files = OpenFiles<Int, OpenFile>(capacity: openFileLimit)
  private let decodedFiles = OpenFiles<Int, DecodedFile>(capacity: 64)

  private static let openFileLimit = 256

  /// - Parameters:
  ///   - instruments: the plan's instruments; `nil` if the feeder is given them as inputs of a stage.
  ///   - openReader: opens a source that has to be decoded.
  public init(
    _ plan: RenderPlan, instruments: RenderedAhead?,
    openReader: @escaping SampleReaderOpener = openAudioFile
  ) {
    self.plan = plan
    self.instruments = instruments
    self.openReader = openReader
  }

  /// Opens a PCM source.
  func plainFile(_ index: Int, at path: String) throws(StreamError) -> OpenFile {
    try files.file(of: index) { () throws(StreamError) in try OpenFile(path: path) }
  }

  /// Reads frames of a source that has to be decoded.
  /// - Parameter bytes: room for `frameCount` frames of the source.
  /// - Returns: frames read, at least 1.
  func read(
    decoded index: Int, from frame: FileFrame, frameCount: Int, into bytes: UnsafeMutableRawPointer
  ) throws(StreamError) -> Int {
    let file = try decodedFiles.file(of: index) { () throws(StreamError) in
      DecodedFile(plan.sources[index], reader: try openReader(plan.sources[index]))
    }
    return try file.read(from: frame, frameCount: frameCount, into: bytes)
  }

  /// Whether all files of the plan can be open at once.
  var areFilesFew: Bool { plan.sources.count <= Self.openFileLimit }
}

/// Runs a plan, reading what it requests synchronously. One for each thread of a bounce; never the audio thread.
public final class DirectFeeder {
  private let streams: DirectStreams
  private let plan: LinkedPlan
  public let runner: PlanRunner
  /// Room for what is read at a time, and a page.
  private let bytes: UnsafeMutableRawPointer
  private let buffers: PassBuffers
  private static let pageSize = 4_096
  /// The first frame that is heard.
  private let origin: TimelineFrame
  private var plainSources: [PlainSource?]
  /// The buffers of the plan's direct outs.
  private let directBuffers: [Int]

  /// A PCM source and its open file, so that most reads need neither a lock nor a look-up. The file is kept only if
  /// `areFilesFew`.
  private struct PlainSource {
    var path: String
    var dataOffset: Int64
    var bytesPerFrame: Int
    var file: OpenFile?
  }

  /// - Parameters:
  ///   - buffers: what the plan, a pass of another, finds and leaves.
  ///   - origin: the timeline frame from which on a plan with memory is rendered.
  ///   - maximumFrames: frames in a slice, at least 1. No value changes a bit.
  public init(
    _ streams: DirectStreams, buffers: PassBuffers = PassBuffers(), origin: TimelineFrame = 0, maximumFrames: Int,
    instructions: Instructions = .best
  ) {
    self.origin = origin
    self.streams = streams
    self.buffers = buffers
    plan = LinkedPlan(streams.plan, maximumFrames: maximumFrames, instructions: instructions)
    runner = PlanRunner(plan)
    directBuffers = streams.plan.withDelays.directOuts.map(\.buffer)
    plainSources = streams.plan.sources.map { source in
      guard case .plain(let layout) = source.content else { return nil }
      return PlainSource(path: source.path, dataOffset: layout.dataOffset, bytesPerFrame: source.bytesPerFrame)
    }
    let widest = streams.plan.sources.lazy.map(\.bytesPerFrame).max() ?? 1
    bytes = .allocate(byteCount: max(widest, LinkedPlan.pieceSamples * 8) + Self.pageSize, alignment: Self.pageSize)
  }

  deinit { bytes.deallocate() }

  /// Frames by which its effects are late.
  public var latency: Int { plan.latency }

  /// Frames in the longest slice.
  public var maximumFrames: Int { plan.maximumFrames }

  /// Renders a block.
  /// - Parameters:
  ///   - frame: timeline frame of the first one.
  ///   - left: room for `frameCount` samples.
  ///   - right: likewise.
  ///   - frameCount: any number; longer blocks than `maximumFrames` are sliced.
  ///   - inputs: of the stage that the plan is.
  /// - Throws: `StreamError`; the block is not valid then.
  public func render(
    frame: TimelineFrame, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frameCount: Int,
    inputs: StageInputs? = nil
  ) throws(StreamError) {
    var done = 0
    while done < frameCount {
      let count = length(ofSliceAt: frame + done, atMost: frameCount - done)
      try renderSlice(frame: frame + done, frameCount: count, inputs: inputs)
      (left + done).update(from: runner.left, count: count)
      (right + done).update(from: runner.right, count: count)
      done += count
    }
  }

  private func length(ofSliceAt frame: TimelineFrame, atMost count: Int) -> Int {
    let slice = PlanRunner.Slice(frame: frame, position: RolledFrame(at: frame, from: origin))
    return min(plan.maximumFrames, count, plan.latency > 0 ? runner.framesUntilSeam(slice) : .max)
  }

  /// Renders a slice in place: `runner.left` and `runner.right` hold it until the next one.
  /// - Parameters:
  ///   - frame: timeline frame of the first one.
  ///   - frameCount: 1 … `maximumFrames`.
  /// - Throws: `StreamError`; the slice is not valid then.
  public func renderSlice(frame: TimelineFrame, frameCount: Int, inputs: StageInputs? = nil) throws(StreamError) {
    let flags = DenormalFlags.flush()
    defer { flags.restore() }
    try run(frame: frame, frameCount: frameCount, inputs)
  }

  /// The samples of a direct out in the slice that was rendered last; valid until the next one.
  /// - Parameter index: into `RenderPlan.directOuts`.
  public func directOut(_ index: Int) -> (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    let buffer = directBuffers[index]
    runner.open(buffer)
    return (runner.side(buffer, 0), runner.side(buffer, 1))
  }

  /// - Parameter insert: index into `RenderPlan.inserts`.
  func effect(_ insert: Int) -> EffectState { plan.states.inserts[insert].effect }

  private func run(frame: TimelineFrame, frameCount: Int, _ inputs: StageInputs?) throws(StreamError) {
    runner.begin(PlanRunner.Slice(frame: frame, position: RolledFrame(at: frame, from: origin)), frameCount: frameCount)
    try buffers.restore(runner, frame: frame, frameCount)
    while let request = runner.next() {
      switch request.stream {
      case .region(_, let source, let first):
        let (bytes, count) = try read(source: source, from: first, frameCount: request.frameCount)
        runner.supply(bytes, frameCount: count)
      case .instrument(let index, let first):
        let isThere = try withFrames(of: index, from: first, atMost: request.frameCount, inputs) {
          (left, right, count) in runner.supply(left: left, right: right, frameCount: count)
        }
        if !isThere { runner.supplySilence(frameCount: request.frameCount) }
      }
    }
    try buffers.keep(runner, frame: frame, frameCount)
  }

  private func withFrames(
    of index: Int, from frame: TimelineFrame, atMost count: Int, _ inputs: StageInputs?,
    _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Void
  ) throws(StreamError) -> Bool {
    if let inputs { return inputs.withFrames(of: index, from: frame, atMost: count, body) }
    guard let instruments = streams.instruments else { return false }
    try instruments.withFrames(of: index, from: frame, atMost: count, body)
    return true
  }

  /// - Returns: the bytes, valid until the next call, and how many frames, at least 1.
  private func read(
    source index: Int, from frame: FileFrame, frameCount: Int
  ) throws(StreamError) -> (UnsafeMutableRawPointer, Int) {
    guard let source = plainSources[index] else {
      return (bytes, try streams.read(decoded: index, from: frame, frameCount: frameCount, into: bytes))
    }
    let file: OpenFile
    if let known = source.file {
      file = known
    } else {
      file = try streams.plainFile(index, at: source.path)
      if streams.areFilesFew { plainSources[index]?.file = file }
    }
    // AMD's processors copy a page eight times slower to where its bytes lie up to 48 bytes further on in their page
    // than they do in the file's. So they lie where they do in the file, or up to 63 bytes before that.
    let offset = frame.byteOffset(source.dataOffset, source.bytesPerFrame)
    let place = bytes + Int(offset) % Self.pageSize / 64 * 64
    try file.read(at: offset, into: place, count: frameCount * source.bytesPerFrame, frame: frame)
    return (place, frameCount)
  }
}
