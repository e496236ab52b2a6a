// How long a callback of the live engine takes: 64 tracks of 24-bit files, mixed to stereo in blocks of 256 frames.
// What `Benchmarks/Reference/callback.c` does with the same files from memory, this does with streams, tickets and
// rings.
//
//   LiveBenchmark FOLDER SECONDS OUTPUT.wav [routed|swapped|mixer]        the folder gets 64 files, or has them
//
// `routed`: each track feeds one of eight buses, and another by a send. `swapped`: a track's output goes to another bus
// and back, every sixteenth block. `mixer`: see `MixerProject`.
//
// Writes what was mixed, and prints a line of JSON: by the thread's own CPU time, microseconds of the median and of the
// 99.9th percentile of a callback, of the median of those in which a plan takes over, and of those behind the same
// pause in which none does; the greatest sample; and frames that were late, and silent, of which there should be none.
import DAWEngine
import DAWMedia
import DAWTime
import Foundation

let trackCount = 64
let busCount = 8
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

/// - Parameter firstBus: of a routed plan, the bus that track 0 feeds; `nil`: all tracks feed the master.
func plan(_ paths: [String], frames: Int, firstBus: Int? = nil) -> RenderPlan {
  let layout = PCMLayout(dataOffset: 0, encoding: .int24, channelCount: 1)
  var plan = RenderPlan(
    sampleRate: SampleRate(hertz: rate),
    sources: paths.map {
      AudioSource(path: $0, sha256: "", frameCount: Int64(frames), channelCount: 1, content: .plain(layout))
    },
    instruments: [], regions: [], steps: [.clear(StripID(0), buffer: 0)], bufferCount: 2,
    endFrame: TimelineFrame(frames))
  for track in 0..<trackCount {
    plan.regions.append(
      PlannedRegion(
        regionID: Int64(track), source: track, frames: 0..<TimelineFrame(frames), anchor: 0, channels: .one(0)))
  }
  if let firstBus { addRoutedSteps(to: &plan, firstBus: firstBus) } else { addSteps(to: &plan) }
  plan.steps.append(.output(StripID(0), buffer: 0, left: .unity, right: .unity))
  return plan
}

func strip(ofTrack track: Int) -> StripID { StripID(Int64(track + 1)) }

func addSteps(to plan: inout RenderPlan) {
  for track in 0..<trackCount {
    plan.steps += [
      .sumRegions(strip(ofTrack: track), track..<(track + 1), into: 1, width: .mono),
      .mix(
        Connection(from: strip(ofTrack: track), to: StripID(0)), 1, width: .mono, into: 0,
        left: .constant(0.01 * Float(track)), right: .constant(0.5)),
    ]
  }
}

/// Each track in a buffer of its own; then bus after bus, which adds its tracks and then its sends.
func addRoutedSteps(to plan: inout RenderPlan, firstBus: Int) {
  plan.bufferCount = 2 + trackCount
  for track in 0..<trackCount {
    plan.steps.append(.sumRegions(strip(ofTrack: track), track..<(track + 1), into: 2 + track, width: .mono))
  }
  for bus in 0..<busCount {
    let id = StripID(Int64(trackCount + bus + 1))
    plan.steps.append(.clear(id, buffer: 1))
    for track in 0..<trackCount where (track == 0 ? firstBus : track % busCount) == bus {
      plan.steps.append(
        .mix(
          Connection(from: strip(ofTrack: track), to: id), 2 + track, width: .mono, into: 1,
          left: .constant(0.01 * Float(track)), right: .constant(0.5)))
    }
    for track in 0..<trackCount where (track + 3) % busCount == bus {
      plan.steps.append(
        .mix(
          Connection(from: strip(ofTrack: track), to: id, .send(Int64(track))), 2 + track, width: .mono, into: 1,
          left: .constant(0.25), right: .constant(0.005 * Float(track))))
    }
    plan.steps.append(
      .mix(
        Connection(from: id, to: StripID(0)), 1, width: .stereo, into: 0, left: .constant(0.5), right: .constant(0.25)))
  }
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

let publishing = DispatchQueue(label: "publishing")

/// On another thread, as a player does. The audio thread's processor is idle meanwhile.
func publish(_ plan: RenderPlan, in engine: LiveEngine) {
  let published = DispatchSemaphore(value: 0)
  publishing.async {
    engine.publish(plan)
    published.signal()
  }
  published.wait()
}

/// A function, since what is global in a program costs a check at each use.
/// - Parameters:
///   - swaps: plans that take over from each other, every sixteenth block.
///   - other: an engine that is given the same plans eight blocks later, in the same time.
/// - Returns: nanoseconds of each callback, of those in which a plan takes over, of those before which one was given to
///   the other engine, and what was mixed, interleaved.
func play(
  _ engine: LiveEngine, blockCount: Int, swaps: [RenderPlan], other: LiveEngine
) -> (times: [Int], swapTimes: [Int], pausedTimes: [Int], mixed: [Float]) {
  let left = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
  let right = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames)
  defer {
    left.deallocate()
    right.deallocate()
  }
  var times = [Int](repeating: 0, count: blockCount)
  var (swapTimes, pausedTimes): ([Int], [Int]) = ([], [])
  var mixed = [Float](repeating: 0, count: 2 * blockCount * blockFrames)
  for number in 0..<blockCount {
    if number.isMultiple(of: 64) { engine.waitForStreams() }
    let (isSwap, isPaused) = (!swaps.isEmpty && number % 16 == 8, !swaps.isEmpty && number % 16 == 15)
    if isSwap || isPaused { publish(swaps[number / 16 % swaps.count], in: isSwap ? engine : other) }
    let block = LiveBlock(
      hostFrame: HostFrame(number * blockFrames), frameCount: blockFrames, left: left, right: right)
    let begin = threadNanoseconds()
    engine.process(block)
    times[number] = threadNanoseconds() - begin
    if isSwap { swapTimes.append(times[number]) }
    if isPaused { pausedTimes.append(times[number]) }
    let first = 2 * number * blockFrames
    for index in 0..<blockFrames {
      mixed[first + 2 * index] = left[index]
      mixed[first + 2 * index + 1] = right[index]
    }
  }
  return (times, swapTimes, pausedTimes, mixed)
}

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["ports"] {
  PortBenchmark.run()
  exit(0)
}
if arguments.count == 3, arguments[1] == "capture", let seconds = Int(arguments[2]), seconds > 0 {
  CaptureBenchmark.capture(seconds: seconds)
  exit(0)
}
if arguments.count == 4, arguments[1] == "durable", let seconds = Int(arguments[3]), seconds > 0 {
  try CaptureBenchmark.durable(arguments[2], seconds: seconds)
  exit(0)
}
let kind = arguments.count == 5 ? arguments[4] : ""
guard arguments.count >= 4, let seconds = Int(arguments[2]), seconds > 0,
  ["", "routed", "swapped", "mixer"].contains(kind)
else {
  FileHandle.standardError.write(
    Data(
      """
      usage: LiveBenchmark FOLDER SECONDS OUTPUT.wav [routed|swapped|mixer]
             LiveBenchmark ports
             LiveBenchmark capture SECONDS
             LiveBenchmark durable FOLDER SECONDS

      """.utf8))
  exit(64)
}
let paths = try makeFiles(in: arguments[1], frames: seconds * rate)
func makeEngine() -> LiveEngine {
  LiveEngine(LiveOptions(sampleRate: rate), makeProducer: { _ in throw StreamError.stopped })
}
let (engine, other) = (makeEngine(), makeEngine())
let plans =
  kind == "mixer"
  ? [try MixerProject.plan(paths, frames: seconds * rate)]
  : [0, 1].map { plan(paths, frames: seconds * rate, firstBus: kind.isEmpty ? nil : $0) }
engine.publish(plans[0])
engine.waitForStreams()
_ = engine.send(.start)

let (unsorted, swapTimes, pausedTimes, mixed) = play(
  engine, blockCount: seconds * rate / blockFrames, swaps: kind == "swapped" ? [plans[1], plans[0]] : [], other: other)
let late = engine.record.lateFrameCount
engine.shutDown()
other.shutDown()

/// Microseconds.
func median(of times: [Int]) -> Double { times.isEmpty ? 0 : Double(times.sorted()[times.count / 2]) / 1_000 }
let times = unsorted.sorted()
let slowest = Double(times[times.count * 999 / 1_000]) / 1_000
let peak = max(mixed.max() ?? 0, -(mixed.min() ?? 0))
try writeWAV(mixed, to: arguments[3])
print(
  #"{"median": \#(median(of: times)), "slowest": \#(slowest), "swapping": \#(median(of: swapTimes)), "#
    + #""paused": \#(median(of: pausedTimes)), "peak": \#(peak), "late": \#(late)}"#)
