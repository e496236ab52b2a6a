extension EffectKind {
  /// In the order of the values that the engine takes.
  public var parameters: [EffectParameter] {
    switch self {
    case .eq: Self.eqParameters
    case .compressor: Self.compressorParameters
    case .gate: Self.gateParameters
    case .limiter: Self.limiterParameters
    case .delay: Self.delayParameters
    case .reverb: Self.reverbParameters
    }
  }

  /// Bands of an equaliser are numbered from 1.
  public static let bandCount = 8

  private typealias Parameter = EffectParameter

  private static let eqParameters = zip(1...bandCount, [60.0, 120, 250, 500, 1000, 2500, 6000, 12_000])
    .flatMap { band, frequency -> [EffectParameter] in
      [
        .choice(
          "band\(band).type",
          ["off", "bell", "lowShelf", "highShelf", "lowPass", "highPass", "notch", "bandPass"],
          "what the band does"),
        Parameter(
          "band\(band).frequency", .hertz, 20...20_000, default: frequency, .logarithmic, about: "where the band works"),
        Parameter(
          "band\(band).gain", .decibels, -24...24, default: 0, .decibels, about: "of a bell or a shelf"),
        Parameter(
          "band\(band).q", .plain, 0.1...30, default: 0.5.squareRoot(), .logarithmic, about: "the higher, the narrower"),
        .choice("band\(band).slope", ["12", "24", "48"], "of a pass, in dB an octave"),
      ]
    }

  private static let keyHighPass = Parameter(
    "keyHighPass", .hertz, 0...2000, default: 0, .logarithmic, leastAboveZero: 20,
    about: "keeps lows out of what is measured")

  private static let compressorParameters = [
    Parameter("threshold", .decibels, -60...0, default: -18, .decibels, about: "above it, what is loud is turned down"),
    Parameter(
      "ratio", .ratio, 1...100, default: 4, .logarithmic, about: "of the levels above the threshold, in to out"),
    Parameter("knee", .decibels, 0...24, default: 6, .decibels, about: "how gradually the ratio begins"),
    Parameter("attack", .milliseconds, 0.1...250, default: 10, .logarithmic, about: "how fast it turns down"),
    Parameter("release", .milliseconds, 5...2500, default: 150, .logarithmic, about: "how fast it lets go"),
    Parameter("makeUp", .decibels, -24...24, default: 0, .decibels, about: "the level of what comes out"),
    .choice("detector", ["peak", "rms"], "what of the level is measured"),
    .toggle("link", default: true, "whether both sides are turned down alike"),
    keyHighPass,
    Parameter(
      "lookAhead", .milliseconds, 0...10, default: 0, isAutomatable: false, about: "how much earlier it begins"),
    Parameter("mix", .plain, 0...1, default: 1, about: "0 is the signal as it was, 1 the compressed one"),
  ]

  private static let gateParameters = [
    Parameter("threshold", .decibels, -80...0, default: -50, .decibels, about: "above it, it opens"),
    Parameter("hysteresis", .decibels, 0...24, default: 4, .decibels, about: "how far below the threshold it closes"),
    Parameter("range", .decibels, -100...0, default: -60, .decibels, about: "the level while it is closed"),
    Parameter("attack", .milliseconds, 0.1...250, default: 1, .logarithmic, about: "how fast it opens"),
    Parameter("hold", .milliseconds, 0...2000, default: 50, about: "how long it stays open"),
    Parameter("release", .milliseconds, 5...2500, default: 150, .logarithmic, about: "how fast it closes"),
    keyHighPass,
  ]

  private static let limiterParameters = [
    Parameter("ceiling", .decibels, -24...0, default: -1, .decibels, about: "the highest true peak, in dBTP"),
    Parameter("release", .milliseconds, 1...2500, default: 100, .logarithmic, about: "how fast it lets go"),
    Parameter(
      "lookAhead", .milliseconds, 1...10, default: 5, isAutomatable: false, about: "how much earlier it begins"),
  ]

  private static let cut = 0.0...20_000

  private static let delayParameters = [
    Parameter("time", .milliseconds, 1...5000, default: 250, .logarithmic, about: "between echoes; or a note: 1/8d"),
    Parameter(
      "noteLength", .notes, 0...16, default: 0, isAutomatable: false,
      about: "between echoes, in quarter notes; off: the time"),
    Parameter("feedback", .plain, 0...0.95, default: 0.3, about: "of each echo into the next"),
    .toggle("pingPong", default: false, "whether echoes change sides"),
    Parameter("lowCut", .hertz, cut, default: 0, .logarithmic, leastAboveZero: 20, about: "of the echoes"),
    Parameter("highCut", .hertz, cut, default: 0, .logarithmic, leastAboveZero: 20, about: "of the echoes"),
    Parameter("mix", .plain, 0...1, default: 0.35, about: "0 is the signal as it was, 1 only echoes"),
  ]

  private static let reverbParameters = [
    Parameter("decay", .seconds, 0.2...20, default: 2, .logarithmic, about: "until it is 60 dB quieter"),
    Parameter("size", .plain, 0.2...2, default: 1, .logarithmic, isAutomatable: false, about: "of the room"),
    Parameter("lowDecay", .plain, 0.25...4, default: 1, .logarithmic, about: "of the lows, times the decay"),
    Parameter("highDecay", .plain, 0.1...1, default: 0.5, .logarithmic, about: "of the highs, times the decay"),
    Parameter("preDelay", .milliseconds, 0...250, default: 10, about: "before it begins"),
    Parameter("width", .plain, 0...1, default: 1, about: "0 is mono, 1 as wide as can be"),
    Parameter("mix", .plain, 0...1, default: 0.25, about: "0 is the signal as it was, 1 only the room"),
  ]
}
