// How long a callback of the live engine takes: 64 tracks of 24-bit files, mixed to stereo in blocks of 256 frames. What
// `Benchmarks/Reference/callback.c` does with the same files from memory, this does with streams, tickets and rings.
//
//   LiveBenchmark FOLDER SECONDS        the folder gets 64 files, or has them
//
// Prints, by the thread's own CPU time: microseconds of the median and of the 99.9th percentile, and the median's share of a
// block at 48 kHz.
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
    instruments: [], regions: [], steps: [.clear(buffer: 0)], bufferCount: 2, endFrame: Int64(frames))
  for track in 0..<trackCount {
    plan.regions.append(
      PlannedRegion(slot: Int64(track), source: track, frames: 0..<Int64(frames), anchor: 0, channels: .one(0)))
    plan.steps += [
      .sumRegions(track..<(track + 1), into: 1, width: .mono),
      .mix(1, width: .mono, into: 0, left: .constant(0.01 * Float(track)), right: .constant(0.5)),
    ]
  }
  plan.steps.append(.output(buffer: 0, left: .unity, right: .unity))
  return plan
}

let folder = CommandLine.arguments.dropFirst().first ?? "/tmp"
let seconds = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 20
let paths = try makeFiles(in: folder, frames: seconds * rate)
let engine = LiveEngine(LiveOptions(sampleRate: rate), makeProducer: { _ in throw StreamError.stopped })
engine.publish(plan(paths, frames: seconds * rate))
engine.waitForStreams()
_ = engine.send(.start)

let left = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
let right = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
var times: [Int] = []
var hostFrame: UInt64 = 0
for number in 0..<(seconds * rate / blockFrames) {
  if number.isMultiple(of: 64) { engine.waitForStreams() }
  let block = LiveBlock(hostFrame: hostFrame, frameCount: blockFrames, left: left, right: right)
  let begin = threadNanoseconds()
  engine.process(block)
  times.append(threadNanoseconds() - begin)
  hostFrame += UInt64(blockFrames)
}
let late = engine.record.lateFrameCount
engine.shutDown()

times.sort()
let median = Double(times[times.count / 2]) / 1_000
let slowest = Double(times[times.count * 999 / 1_000]) / 1_000
let share = median * 1e-6 * Double(rate) / Double(blockFrames) * 100
print(
  "daw: median \(median) µs, 99.9th percentile \(slowest) µs, \(String(format: "%.2f", share)) % of a block, \(late) late"
)
