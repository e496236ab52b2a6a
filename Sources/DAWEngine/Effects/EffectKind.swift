/// The effects that the engine computes.
public enum EffectKind: Int, Hashable, Sendable, CaseIterable {
  case eq
  case compressor
  case gate
  case limiter
  case delay
  case reverb
}

extension EffectKind {
  /// Names of the parameters, in the order of their values. Levels are in dB, frequencies in Hz, times in ms (the
  /// reverb's decay in s); toggles are 0 or 1, choices are counted from 0.
  public var parameterNames: [String] { table.map(\.name) }

  /// The values of an effect that was just added.
  public var defaults: [Double] { table.map(\.value) }

  /// What the values may be. A cut of a `delay` and the high pass of a key are off at 0.
  public var ranges: [ClosedRange<Double>] { table.map(\.range) }

  /// Whether it reports gain reduction.
  public var isDynamics: Bool { self == .compressor || self == .gate || self == .limiter }

  /// Whether it needs two sides, even on a mono strip.
  public var needsStereo: Bool { self == .delay || self == .reverb }

  /// Whether a parameter acts on the signal that comes out, which is later than what is measured by the look-ahead.
  func isOfOutput(parameter name: String) -> Bool { self == .compressor && (name == "makeUp" || name == "mix") }

  private typealias Row = (name: String, range: ClosedRange<Double>, value: Double)

  private var table: [Row] {
    switch self {
    case .eq: Self.bands
    case .compressor:
      [
        ("threshold", -60...0, -18), ("ratio", 1...100, 4), ("knee", 0...24, 6), ("attack", 0.1...250, 10),
        ("release", 5...2_500, 150), ("makeUp", -24...24, 0), ("detector", 0...1, 0), ("link", 0...1, 1),
        ("keyHighPass", 0...2_000, 0), ("lookAhead", 0...10, 0), ("mix", 0...1, 1),
      ]
    case .gate:
      [
        ("threshold", -80...0, -50), ("hysteresis", 0...24, 4), ("range", -100...0, -60), ("attack", 0.1...250, 1),
        ("hold", 0...2_000, 50), ("release", 5...2_500, 150), ("keyHighPass", 0...2_000, 0),
      ]
    case .limiter: [("ceiling", -24...0, -1), ("release", 1...2_500, 100), ("lookAhead", 1...10, 5)]
    case .delay:
      [
        ("time", 1...5_000, 250), ("noteLength", 0...16, 0), ("feedback", 0...0.95, 0.3), ("pingPong", 0...1, 0),
        ("lowCut", 0...20_000, 0), ("highCut", 0...20_000, 0), ("mix", 0...1, 0.35),
      ]
    case .reverb:
      [
        ("decay", 0.2...20, 2), ("size", 0.2...2, 1), ("lowDecay", 0.25...4, 1), ("highDecay", 0.1...1, 0.5),
        ("preDelay", 0...250, 10), ("width", 0...1, 1), ("mix", 0...1, 0.25),
      ]
    }
  }

  private static var bands: [Row] {
    let frequencies: [Double] = [60, 120, 250, 500, 1_000, 2_500, 6_000, 12_000]
    return frequencies.enumerated().flatMap { index, frequency -> [Row] in
      let band = "band\(index + 1)"
      return [
        ("\(band).type", 0...7, 0), ("\(band).frequency", 20...20_000, frequency), ("\(band).gain", -24...24, 0),
        ("\(band).q", 0.1...30, 0.5.squareRoot()), ("\(band).slope", 0...2, 0),
      ]
    }
  }
}
