import DAWEngine
import DAWMedia
import DAWTime
import Foundation

/// What recording takes in the callback, and on disk: 64 mono inputs.
///
///   LiveBenchmark capture SECONDS           a callback of 256 frames that copies them into the ring
///   LiveBenchmark durable FOLDER SECONDS    a second of them packed in 24 bits, written and flushed
///
/// Each prints the line of JSON that `Reference/record --callback` and `Reference/durable` print.
enum CaptureBenchmark {
  private static let inputCount = 64

  /// - Returns: noise for each input.
  private static func makeInputs(_ frameCount: Int) -> [UnsafeMutablePointer<Float>] {
    var state: UInt32 = 1
    return (0..<inputCount).map { _ in
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
      for index in 0..<frameCount {
        state = state &* 1_664_525 &+ 1_013_904_223
        samples[index] = Float(Int32(bitPattern: state)) / 4_294_967_296
      }
      return samples
    }
  }

  static func capture(seconds: Int) {
    let engine = LiveEngine(LiveOptions(sampleRate: rate), makeProducer: { _ in throw StreamError.stopped })
    engine.publish(
      RenderPlan(
        sampleRate: SampleRate(hertz: rate), sources: [], instruments: [], regions: [],
        steps: [.clear(StripID(0), buffer: 0), .output(StripID(0), buffer: 0, left: .unity, right: .unity)],
        bufferCount: 1, endFrame: 0))
    engine.waitForStreams()
    _ = engine.send(.start)
    let ring = CaptureRing(channelCount: inputCount, frameCount: 10 * rate)
    let outputs = UnsafeMutablePointer<Float>.allocate(capacity: 2 * blockFrames)
    let inputs = makeInputs(blockFrames).map { Optional(UnsafePointer($0)) }
    var times: [Int] = []
    var lost = 0
    inputs.withUnsafeBufferPointer { inputs in
      for number in 0..<seconds * rate / blockFrames {
        var block = LiveBlock(
          hostFrame: HostFrame(number * blockFrames), frameCount: blockFrames, left: outputs,
          right: outputs + blockFrames)
        block.capture = Unmanaged.passUnretained(ring)
        block.inputs = inputs.baseAddress
        let begin = threadNanoseconds()
        engine.process(block)
        times.append(threadNanoseconds() - begin)
        guard number % 64 == 63 else { continue }
        while let run = ring.takeRun() {
          lost += run.droppedCount
          ring.release(run)
        }
        _ = ring.takeChanges()
      }
    }
    engine.shutDown()
    times.sort()
    let (median, slowest) = (Double(times[times.count / 2]) / 1_000, Double(times[times.count * 999 / 1_000]) / 1_000)
    print(#"{"median": \#(median), "slowest": \#(slowest), "lost": \#(lost)}"#)
  }

  static func durable(_ folder: String, seconds: Int) throws {
    let place = Place(root: folder)
    try place.makeRoot()
    let recording = try RecordingFolder(creatingIn: place, title: "durable", startTime: 0)
    let header = RecordingHeader(
      project: "", recording: 1, title: "durable", startTime: 0, sampleRate: rate, encoding: .int24,
      segmentFrames: Int64(30 * rate), owner: .current)
    let writers = try (0..<inputCount).map { number in
      try SegmentWriter(
        in: recording,
        pass: PassHeader(
          pass: Int64(number + 1), take: 1, track: Int64(number + 1), trackName: "T\(number)", channelCount: 1),
        header: header)
    }
    let inputs = makeInputs(rate).map { UnsafePointer($0) }
    var times: [Double] = []
    for _ in 0..<seconds {
      let begin = ContinuousClock.now
      for (writer, input) in zip(writers, inputs) {
        try writer.write([input], frameCount: rate)
        try writer.refreshHeader()
      }
      try recording.syncFileSystem()
      times.append((ContinuousClock.now - begin) / .milliseconds(1))
    }
    for writer in writers { try writer.seal() }
    times.sort()
    print(#"{"median": \#(times[times.count / 2]), "slowest": \#(times[times.count - 1])}"#)
  }
}
