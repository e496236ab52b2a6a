/// Values for an effect, under a name. What a preset does not name is at its default.
public struct EffectPreset: Hashable, Sendable {
  public var kind: EffectKind
  /// Unique among those of its kind; case does not matter.
  public var name: String
  /// What it is for, in a few words; empty for the user's own.
  public var abstract: String
  public var values: EffectValues

  public init(_ kind: EffectKind, _ name: String, abstract: String = "", _ values: EffectValues) {
    self.kind = kind
    self.name = name
    self.abstract = abstract
    self.values = values
  }
}

extension EffectPreset {
  /// Those that come with daw, in order of kind.
  public static let factory: [EffectPreset] = written.compactMap { kind, name, abstract, text in
    let settings = text.split(whereSeparator: \.isWhitespace).compactMap {
      word -> (parameter: String, value: Double)? in
      let parts = word.split(separator: "=")
      guard parts.count == 2, let parameter = kind.parameter(String(parts[0])),
        let value = parameter.value(of: String(parts[1])), parameter.accepts(value)
      else { return nil }
      return (parameter.name, value)
    }
    guard settings.count == text.split(whereSeparator: \.isWhitespace).count else { return nil }
    var values = EffectValues(kind)
    values.assign(settings)
    return EffectPreset(kind, name, abstract: abstract, values)
  }

  /// Each as it would be typed behind `--set`; what cannot be read is left out, and a test finds it.
  static let written: [(kind: EffectKind, name: String, abstract: String, settings: String)] = [
    (
      .eq, "vocal", "clear and present, without rumble",
      """
      band1.type=highPass band1.frequency=80 band3.frequency=300 band3.gain=-2.5 band3.q=1 band6.frequency=3500 \
      band6.gain=2.5 band6.q=0.9 band8.type=highShelf band8.frequency=10000 band8.gain=2
      """
    ),
    (
      .eq, "speech", "a voice that is easy to understand",
      """
      band1.type=highPass band1.frequency=90 band1.slope=24 band3.frequency=220 band3.gain=-3 band3.q=0.9 \
      band6.frequency=3000 band6.gain=3 band6.q=0.8
      """
    ),
    (.eq, "low-cut", "takes rumble away", "band1.type=highPass band1.frequency=60 band1.slope=24"),
    (
      .eq, "warm", "fuller lows, softer highs",
      """
      band1.type=lowShelf band1.frequency=150 band1.gain=2.5 band8.type=highShelf band8.frequency=8000 band8.gain=-2.5
      """
    ),
    (.eq, "air", "open highs", "band8.type=highShelf band8.frequency=12000 band8.gain=3"),
    (
      .eq, "kick", "weight and click, less box",
      """
      band1.frequency=60 band1.gain=3 band1.q=1 band3.frequency=350 band3.gain=-4 band3.q=1.2 band6.frequency=3500 \
      band6.gain=3 band6.q=1
      """
    ),
    (
      .eq, "telephone", "a small loudspeaker",
      """
      band1.type=highPass band1.frequency=400 band1.slope=24 band5.frequency=1500 band5.gain=4 \
      band8.type=lowPass band8.frequency=3200 band8.slope=24
      """
    ),
    (
      .compressor, "vocal", "an even voice",
      "threshold=-22 ratio=3 attack=8 release=120 makeUp=4 keyHighPass=80"
    ),
    (
      .compressor, "bass", "an even bass with its attack kept",
      "threshold=-22 ratio=4 attack=25 release=180 makeUp=4"
    ),
    (
      .compressor, "drums", "punch for a bus of drums",
      "threshold=-16 ratio=4 knee=4 attack=30 release=100 makeUp=2 keyHighPass=90"
    ),
    (
      .compressor, "glue", "holds a mix together",
      "threshold=-14 ratio=2 knee=9 attack=30 release=300 makeUp=1.5 detector=rms keyHighPass=60"
    ),
    (
      .compressor, "parallel", "dense below, the original above",
      "threshold=-36 ratio=10 knee=3 attack=3 release=120 makeUp=12 mix=0.35"
    ),
    (
      .compressor, "duck", "music that gives way to its key, a voice",
      "threshold=-36 ratio=4 knee=9 attack=30 release=500 keyHighPass=100"
    ),
    (
      .gate, "voice", "quieter pauses, with room for breath",
      "threshold=-45 hysteresis=6 range=-15 attack=2 hold=150 release=250 keyHighPass=100"
    ),
    (.gate, "drums", "one drum without its neighbours", "threshold=-32 attack=0.2 hold=60 release=120"),
    (
      .gate, "hum", "silences an amplifier's hum in rests",
      "threshold=-55 hysteresis=6 range=-80 attack=1 hold=200 release=400 keyHighPass=150"
    ),
    (.limiter, "streaming", "for streaming services: -1 dBTP", "ceiling=-1 release=120"),
    (.limiter, "broadcast", "-2 dBTP, gently", "ceiling=-2 release=200 lookAhead=8"),
    (.limiter, "loud", "close to full scale, fast", "ceiling=-0.3 release=50 lookAhead=3"),
    (.delay, "slap", "one short echo", "time=110 feedback=0.05 lowCut=150 highCut=5000 mix=0.25"),
    (.delay, "dotted-eighth", "echoes in dotted eighths", "noteLength=1/8d lowCut=200 highCut=6000 mix=0.3"),
    (
      .delay, "ping-pong", "eighths from side to side",
      "noteLength=1/8 feedback=0.45 pingPong=on lowCut=150 highCut=7000 mix=0.3"
    ),
    (.delay, "tape", "dark, long echoes", "time=380 feedback=0.5 lowCut=120 highCut=3000 mix=0.3"),
    (.reverb, "room", "a small room", "decay=0.5 size=0.5 highDecay=0.6 preDelay=5 mix=0.2"),
    (.reverb, "plate", "dense and bright", "decay=1.6 size=0.7 lowDecay=0.8 highDecay=0.7 preDelay=15"),
    (.reverb, "hall", "a concert hall", "decay=2.4 size=1.4 lowDecay=1.2 highDecay=0.4 preDelay=25"),
    (.reverb, "cathedral", "long and dark", "decay=6 size=2 lowDecay=1.3 highDecay=0.3 preDelay=40 mix=0.3"),
  ]
}
