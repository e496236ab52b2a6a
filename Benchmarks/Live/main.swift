// How long a callback of the live engine takes: 64 tracks of 24-bit files, mixed to stereo in blocks of 256 frames. What
// `Benchmarks/Reference/callback.c` does with the same files from memory, this does with streams, tickets and rings.
//
//   LiveBenchmark FOLDER SECONDS OUTPUT.wav        the folder gets 64 files, or has them
//
// Writes what was mixed, and prints a line of JSON: by the thread's own CPU time, microseconds of the median and of the
// 99.9th percentile of a callback; the greatest sample; and frames that were late, and silent, of which there should be none.
import DAWEngine
import DAWMedia
import DAWTime
import Foundation

let trackCount = 64
let blockFrames = 256
let rate = 48_000

func threadNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Noise, the same in every run.
func makeFiles(in folder: String, frames: Int) throws -> [String] {
  try (0..<trackCount).map { number in
    let path = "\(folder)/\(number).raw"
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    guard size != 3 * frames else { return path }
    var state = UInt32(number + 1)
    var bytes = [UInt8](repeating: 0, count: 3 * frames)
    for index in bytes.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      bytes[index] = UInt8(state >> 24)
    }
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }
}

func plan(_ paths: [String], frames: Int) -> RenderPlan {
  let layout = PCMLayout(dataOffset: 0, encoding: .int24, channelCount: 1)
  var plan = RenderPlan(
    sampleRate: SampleRate(hertz: rate),
    sources: paths.map {
      AudioSource(path: $0, sha256: "", frameCount: Int64(frames), channelCount: 1, content: .plain(layout))
    },
    instruments: [], regions: [], steps: [.clear(StripID(0), buffer: 0)], bufferCount: 2, endFrame: Int64(frames))
  for track in 0..<trackCount {
    plan.regions.append(
      PlannedRegion(regionID: Int64(track), source: track, frames: 0..<Int64(frames), anchor: 0, channels: .one(0)))
    plan.steps += [
      .sumRegions(StripID(Int64(track + 1)), track..<(track + 1), into: 1, width: .mono),
      .mix(
        Connection(from: StripID(Int64(track + 1)), to: StripID(0)), 1, width: .mono, into: 0,
        left: .constant(0.01 * Float(track)), right: .constant(0.5)),
    ]
  }
  plan.steps.append(.output(StripID(0), buffer: 0, left: .unity, right: .unity))
  return plan
}

/// 32-bit float, stereo.
func writeWAV(_ samples: [Float], to path: String) throws {
  var data = Data()
  func append(_ words: UInt32...) {
    for word in words { withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) } }
  }
  let byteCount = UInt32(4 * samples.count)
  data.append(contentsOf: Array("RIFF".utf8))
  append(36 + byteCount)
  data.append(contentsOf: Array("WAVEfmt ".utf8))
  // Format 3, 2 channels; 8 bytes a frame, 32 bits a sample.
  append(16, 3 | 2 << 16, UInt32(rate), UInt32(8 * rate), 8 | 32 << 16)
  data.append(contentsOf: Array("data".utf8))
  append(byteCount)
  samples.withUnsafeBytes { data.append(contentsOf: $0) }
  try data.write(to: URL(filePath: path))
}

/// A function, since what is global in a program costs a check at each use.
/// - Returns: nanoseconds of each callback, and what was mixed, interleaved.
func play(_ engine: LiveEngine, blockCount: Int) -> (times: [Int], mixed: [Float]) {
  let left = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
  let right = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
  defer {
    left.deallocate()
    right.deallocate()
  }
  var times = [Int](repeating: 0, count: blockCount)
  var mixed = [Float](repeating: 0, count: 2 * blockCount * blockFrames)
  for number in 0..<blockCount {
    if number.isMultiple(of: 64) { engine.waitForStreams() }
    let block = LiveBlock(
      hostFrame: UInt64(number * blockFrames), frameCount: blockFrames, left: left, right: right)
    let begin = threadNanoseconds()
    engine.process(block)
    times[number] = threadNanoseconds() - begin
    let first = 2 * number * blockFrames
    for index in 0..<blockFrames {
      mixed[first + 2 * index] = left[index]
      mixed[first + 2 * index + 1] = right[index]
    }
  }
  return (times, mixed)
}

if CommandLine.arguments.dropFirst() == ["ports"] {
  PortBenchmark.run()
  exit(0)
}
guard CommandLine.arguments.count == 4, let seconds = Int(CommandLine.arguments[2]), seconds > 0 else {
  FileHandle.standardError.write(Data("usage: LiveBenchmark FOLDER SECONDS OUTPUT.wav\n".utf8))
  exit(64)
}
let folder = CommandLine.arguments[1]
let paths = try makeFiles(in: folder, frames: seconds * rate)
let engine = LiveEngine(LiveOptions(sampleRate: rate), makeProducer: { _ in throw StreamError.stopped })
engine.publish(plan(paths, frames: seconds * rate))
engine.waitForStreams()
_ = engine.send(.start)

let (unsorted, mixed) = play(engine, blockCount: seconds * rate / blockFrames)
let late = engine.record.lateFrameCount
engine.shutDown()

let times = unsorted.sorted()
let median = Double(times[times.count / 2]) / 1_000
let slowest = Double(times[times.count * 999 / 1_000]) / 1_000
let peak = max(mixed.max() ?? 0, -(mixed.min() ?? 0))
try writeWAV(mixed, to: CommandLine.arguments[3])
print(#"{"median": \#(median), "slowest": \#(slowest), "peak": \#(peak), "late": \#(late)}"#)
