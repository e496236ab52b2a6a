import Foundation

/// The fades and crossfades of a track's regions, by the rules of the documentation and plain arithmetic, written
/// without a look at the engine.
struct FadeEnvelopes {
  /// A fade between the frame where it is silent and the one where it is at full level.
  struct Ramp {
    var silent: Int
    var full: Int
    var shape: String
  }

  struct Layer {
    var start: Int
    var end: Int
    var id: String
    /// Equal for parts that go on in the same file where one ends.
    var source = ""
    var gain = 1.0
    var fadeIn: Ramp?
    var fadeOut: Ramp?

    /// Whether it lies on top of another.
    func lies(on other: Layer) -> Bool { (start, id) > (other.start, other.id) && start < other.end }
  }

  /// For each layer, its fades and its crossfades with those that overlap one of its ends.
  private let ramps: [[Ramp]]
  /// For each layer, the spans of what lies within it, joined where they touch.
  private let silences: [[Range<Int>]]
  /// The length of the fades around a silence.
  private let edge: Int

  init(_ layers: [Layer], isCrossfading: Bool, rate: Int) {
    edge = rate / 100
    let (wholes, places) = Self.wholes(of: layers)
    ramps = zip(layers, places).map { layer, place in
      var ramps = [layer.fadeIn, layer.fadeOut].compactMap(\.self)
      guard isCrossfading else { return ramps }
      let whole = wholes[place]
      let below = wholes.filter { whole.lies(on: $0) && $0.end < whole.end }.map(\.end).max()
      if let below { ramps.append(Ramp(silent: whole.start, full: below, shape: "equalPower")) }
      let above = wholes.filter { $0.lies(on: whole) && $0.end > whole.end }.map(\.start).min()
      if let above { ramps.append(Ramp(silent: whole.end, full: above, shape: "equalPower")) }
      return ramps
    }
    silences = places.map { place in
      guard isCrossfading else { return [] }
      let lower = wholes[place]
      var joined: [Range<Int>] = []
      for upper in wholes.filter({ $0.lies(on: lower) && $0.end <= lower.end }).sorted(by: { $0.start < $1.start }) {
        if let last = joined.last, upper.start <= last.upperBound {
          joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, upper.end)
        } else {
          joined.append(upper.start..<upper.end)
        }
      }
      return joined
    }
  }

  /// What crossfades as one: parts of a file that follow each other without a gap.
  /// - Returns: the wholes, and for each layer that of which it is a part.
  private static func wholes(of layers: [Layer]) -> (wholes: [Layer], places: [Int]) {
    var wholes: [Layer] = []
    var places = [Int](repeating: 0, count: layers.count)
    for number in layers.indices.sorted(by: { (layers[$0].start, layers[$0].id) < (layers[$1].start, layers[$1].id) }) {
      let layer = layers[number]
      let isCut = layer.fadeIn.map { $0.silent < layer.start } ?? true
      let before = wholes.indices.filter { number in
        let whole = wholes[number]
        return isCut && whole.source == layer.source && whole.end == layer.start
          && whole.fadeOut.map { $0.silent > whole.end } ?? true
      }
      if let place = before.first(where: { wholes[$0].gain == layer.gain }) ?? before.first {
        (wholes[place].end, wholes[place].gain, wholes[place].fadeOut) = (layer.end, layer.gain, layer.fadeOut)
        places[number] = place
      } else {
        places[number] = wholes.count
        wholes.append(layer)
      }
    }
    return (wholes, places)
  }

  /// The product of all of a layer's fades.
  func value(of number: Int, at frame: Int) -> Double {
    var value = 1.0
    for ramp in ramps[number] { value *= Self.value(ramp, at: frame) }
    for span in silences[number] where span.contains(frame) {
      let length = min(edge, span.count / 2)
      guard length > 0 else { return 0 }
      let out = Ramp(silent: span.lowerBound + length, full: span.lowerBound, shape: "equalPower")
      let back = Ramp(silent: span.upperBound - length, full: span.upperBound, shape: "equalPower")
      value *= max(
        frame < out.silent ? Self.value(out, at: frame) : 0, frame >= back.silent ? Self.value(back, at: frame) : 0)
    }
    return value
  }

  /// Straight between knots, which are the ends and the frames that 16 divides.
  private static func value(_ ramp: Ramp, at frame: Int) -> Double {
    let (first, last) = (min(ramp.silent, ramp.full), max(ramp.silent, ramp.full))
    guard first < last else { return 1 }
    func shape(_ frame: Int) -> Double {
      let x = Double(frame - ramp.silent) / Double(ramp.full - ramp.silent)
      switch ramp.shape {
      case "equalPower": return sin(.pi * x / 2)
      case "exponential": return (exp(4 * x) - 1) / (exp(4) - 1)
      case "sCurve": return x * x * (3 - 2 * x)
      default: return x
      }
    }
    if frame <= first { return shape(first) }
    if frame >= last { return shape(last) }
    let knot = frame - (frame % 16 + 16) % 16
    let (low, high) = (max(first, knot), min(last, knot + 16))
    let share = Double(frame - low) / Double(high - low)
    return shape(low) * (1 - share) + shape(high) * share
  }
}
