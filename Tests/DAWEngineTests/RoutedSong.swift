import DAWTestSupport
import DAWTime
import Foundation

@testable import DAWEngine

/// A song with buses and sends over the slow sines of a `SineMix`. An edit changes it, and may turn the routing round.
struct RoutedSong {
  struct Strip {
    var id: Int64
    var isBus = false
    var width = ChannelWidth.stereo
    var regions: [SineMix.Song.Region] = []
    var shape: StripShape?
    var left: Float = 0.7
    var right: Float = 0.5
    /// Where it leads; 0 is the master.
    var output: Int64 = 0
    /// The bus and the gain of each send.
    var sends: [Int64: Float] = [:]
    var isMuted = false
    /// Of its fader.
    var lane: Curve?

    /// A coefficient behind the fader.
    func control(_ gain: Float) -> Control { RoutedSong.control(gain, lane) }
  }

  /// A strip feeds only buses behind it.
  var strips: [Strip] = []
  var masterGain: Float = 1
  var nextID: Int64 = 1_000

  init(tracks: Int, buses: Int, sources: Int) {
    for id in 1...Int64(tracks) {
      strips.append(
        Strip(
          id: id, width: id.isMultiple(of: 2) ? .mono : .stereo,
          regions: [SineMix.Song.Region(id: 100 + id, source: Int(id) % sources)]))
    }
    for id in 0..<Int64(buses) { strips.append(Strip(id: 50 + id, isBus: true)) }
  }

  /// The buses that a strip may feed.
  private func targets(of index: Int) -> [Int64] { strips[(index + 1)...].filter(\.isBus).map(\.id) }

  private static func control(_ gain: Float, _ lane: Curve?) -> Control {
    lane.map { .product([.constant(Double(gain)), .curve($0)]) } ?? .constant(gain)
  }

  /// Often with a lane.
  private func control(_ gain: Float, using random: inout SeededGenerator) -> Control {
    Self.control(gain, Bool.random(using: &random) ? lane(using: &random) : nil)
  }

  /// Moves slowly between 0.5 and 1, with small jumps.
  private func lane(using random: inout SeededGenerator) -> Curve {
    let shapes: [Curve.Shape] = [.linear, .exponential, .mirroredExponential, .sCurve]
    var points: [Curve.Point] = []
    var frame: TimelineFrame = 0
    while frame < 900_000 {
      let value = Double.random(in: 0.5...1, using: &random)
      points.append(Curve.Point(frame, value, shapes.randomElement(using: &random) ?? .linear))
      frame += .random(in: 4_000...20_000, using: &random)
      if Bool.random(using: &random) {
        let low = Double.random(in: 0.5...0.9, using: &random)
        points.append(Curve.Point(frame, low, .hold))
        frame += .random(in: 1...4_000, using: &random)
        points.append(Curve.Point(frame, low + 0.1, .linear))
        frame += .random(in: 4_000...20_000, using: &random)
      }
    }
    for index in points.indices { points[index].argument = Foundation.log2(points[index].value) }
    return Curve(points, scale: .logarithmic)
  }

  /// Changes one thing.
  mutating func edit(sources: Int, using random: inout SeededGenerator) {
    guard let index = strips.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0...13, using: &random) {
    case 0: strips[index].left = .random(in: 0...1, using: &random)
    case 1: strips[index].isMuted.toggle()
    case 11: strips[index].lane = lane(using: &random)
    case 12: strips[index].lane = nil
    case 2: masterGain = .random(in: 0.2...1, using: &random)
    case 3: strips[index].output = (targets(of: index) + [0]).randomElement(using: &random) ?? 0
    case 4, 5:
      if let target = targets(of: index).randomElement(using: &random) {
        strips[index].sends[target] = strips[index].sends[target] == nil ? .random(in: 0...0.7, using: &random) : nil
      }
    case 6:
      strips[index].shape =
        Bool.random(using: &random)
        ? nil
        : StripShape(
          trim: control(.random(in: 0.5...1, using: &random), using: &random), invertsLeft: .random(using: &random),
          stereoWidth: control(.random(in: 0...1, using: &random), using: &random))
    case 7:
      // Two buses change places: what fed one may now be fed by it.
      let buses = strips.indices.filter { strips[$0].isBus }
      if buses.count > 1, let first = buses.dropLast().randomElement(using: &random) {
        strips.swapAt(first, first + 1)
        for index in strips.indices {
          let allowed = Set(targets(of: index))
          if !allowed.contains(strips[index].output) { strips[index].output = 0 }
          for target in strips[index].sends.keys where !allowed.contains(target) {
            strips[index].sends[target] = nil
          }
        }
        if let to = targets(of: first).randomElement(using: &random) { strips[first].output = to }
      }
    case 8:
      guard !strips[index].isBus else { return }
      strips[index].width = strips[index].width == .mono ? .stereo : .mono
    case 9:
      guard !strips[index].isBus, strips[index].regions.count < 3 else { return }
      strips[index].regions.append(
        SineMix.Song.Region(
          id: nextID, source: .random(in: 0..<sources, using: &random), offset: .random(in: 0...9_000, using: &random)))
      nextID += 1
    case 10: if strips[index].regions.count > 1 { strips[index].regions.removeLast() }
    default:
      guard let region = strips[index].regions.indices.randomElement(using: &random) else { return }
      strips[index].regions[region].gain = .random(in: 0.3...1, using: &random)
      // Trimmed to a part that is far from the playhead, or whole: its own edges would be jumps.
      if Bool.random(using: &random) {
        strips[index].regions[region].frames = strips[index].regions[region].frames == nil ? 800_000..<850_000 : nil
      }
    }
  }

  /// The greatest sample that any strip can have, where each source has 0.1.
  var potential: Float {
    var amplitudes: [Int64: Float] = [:]
    var greatest: Float = 0
    for strip in strips {
      let amplitude = amplitudes[strip.id, default: 0] + 0.1 * Float(strip.regions.count)
      greatest = max(greatest, amplitude)
      guard !strip.isMuted else { continue }
      let side = amplitude * max(strip.left, strip.right)
      amplitudes[strip.output, default: 0] += side
      for (target, gain) in strip.sends { amplitudes[target, default: 0] += side * gain }
    }
    return max(greatest, amplitudes[0, default: 0])
  }

  /// The plan, with a direct out for each strip.
  func plan(_ mix: SineMix, directOuts: Bool = true) -> RenderPlan {
    var plan = mix.plan(SineMix.Song())
    (plan.steps, plan.bufferCount) = ([.clear(StripID(0), buffer: 0)], 1)
    var buffers: [Int64: Int] = [0: 0]
    for strip in strips {
      buffers[strip.id] = plan.bufferCount
      plan.bufferCount += 1
      if strip.isBus { plan.steps.append(.clear(StripID(strip.id), buffer: plan.bufferCount - 1)) }
    }
    for strip in strips {
      guard let buffer = buffers[strip.id] else { continue }
      let first = plan.regions.count
      for region in strip.regions {
        plan.regions.append(
          PlannedRegion(
            regionID: region.id, source: region.source, frames: region.frames ?? mix.frames,
            anchor: mix.anchor(of: region), channels: .one(0), gain: .constant(region.gain)))
      }
      let id = StripID(strip.id)
      if !strip.isBus {
        plan.steps.append(.sumRegions(id, first..<plan.regions.count, into: buffer, width: strip.width))
      }
      if let shape = strip.shape { plan.steps.append(.shape(id, buffer: buffer, width: strip.width, shape)) }
      guard !strip.isMuted else { continue }
      func connect(_ target: Int64, _ kind: Connection.Kind, _ gain: Float) {
        let connection = Connection(from: id, to: StripID(target), kind)
        plan.steps.append(
          .mix(
            connection, buffer, width: strip.width, into: buffers[target] ?? 0, left: strip.control(strip.left * gain),
            right: strip.control(strip.right * gain)))
      }
      if directOuts {
        let direct = StripID(strip.id, .directOut)
        buffers[-strip.id] = plan.bufferCount
        plan.steps.append(.clear(direct, buffer: plan.bufferCount))
        plan.steps.append(
          .mix(
            Connection(from: id, to: direct), buffer, width: strip.width, into: plan.bufferCount,
            left: strip.control(strip.left),
            right: strip.control(strip.right)))
        plan.steps.append(
          .mix(
            Connection(from: direct, to: StripID(strip.output)), plan.bufferCount, width: .stereo,
            into: buffers[strip.output] ?? 0, left: .unity, right: .unity))
        plan.directOuts.append(DirectOut(trackID: strip.id, buffer: plan.bufferCount))
        plan.bufferCount += 1
      } else {
        connect(strip.output, .output, 1)
      }
      for (target, gain) in strip.sends.sorted(by: { $0.key < $1.key }) {
        connect(target, .send(1_000 * strip.id + target), gain)
      }
    }
    plan.directOuts.sort { $0.trackID < $1.trackID }
    plan.steps.append(.output(StripID(0), buffer: 0, left: .constant(masterGain), right: .constant(masterGain)))
    return plan
  }
}
