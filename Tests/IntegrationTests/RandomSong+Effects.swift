extension RandomSong {
  /// One that is neutral or bypassed, echoes, or a gate.
  /// - Parameters:
  ///   - keys: what it may listen to.
  ///   - passesInput: whether it may not delay all of the signal.
  mutating func effect(hearing keys: [String], passesInput: Bool) -> IndependentSong.Effect {
    var effect = effect(passesInput)
    effect.isPostFader = isOne(in: 3)
    effect.isOff = isOne(in: 8)
    if ["compressor", "gate"].contains(effect.kind), !keys.isEmpty, !isOne(in: 3) { effect.key = pick(keys) }
    return effect
  }

  private mutating func effect(_ passesInput: Bool) -> IndependentSong.Effect {
    switch number(0...9) {
    case 0, 1:
      var effect = Self.effect(
        "compressor",
        ["ratio": 1, "makeUp": Double(number(-9...3)), "mix": quarters(0...4), "lookAhead": quarters(0...40)])
      // With a ratio of 1 it changes nothing.
      if isOne(in: 4) { effect.lanes = [lane("threshold", .threshold)] }
      return effect
    case 2: return Self.effect("compressor", ["threshold": -40, "lookAhead": quarters(0...40)], isBypassed: true)
    case 3: return Self.effect("limiter", ["ceiling": -20, "lookAhead": quarters(4...40)], isBypassed: true)
    case 4:
      var effect = Self.effect("eq", ["band2.gain": 9], isBypassed: true)
      if isOne(in: 2) {
        effect = Self.effect("eq", [:])
        effect.settings = [.init(parameter: "band2.type", value: .name("bell"))]
      }
      return effect
    case 5:
      return isOne(in: 2) ? Self.effect("reverb", ["mix": 0]) : Self.effect("reverb", ["mix": 0.5], isBypassed: true)
    case 6, 7:
      let feedback = pick([0, Double(number(0...7)) / 8])
      var effect = Self.effect(
        "delay", ["time": Double(number(1...30)), "feedback": feedback, "mix": quarters(0...(passesInput ? 3 : 4))],
        isBypassed: isOne(in: 8))
      effect.settings.append(.init(parameter: "pingPong", value: .flag(isOne(in: 2))))
      return effect
    default:
      return Self.effect(
        "gate",
        [
          "threshold": Double(number(-50 ... -6)), "range": Double(number(-40 ... -6)), "attack": Double(number(1...5)),
          "hold": Double(pick([0, number(0...9)])), "release": Double(number(5...30)),
        ])
    }
  }

  private static func effect(
    _ kind: String, _ settings: KeyValuePairs<String, Double>, isBypassed: Bool = false
  ) -> IndependentSong.Effect {
    .init(kind: kind, isBypassed: isBypassed, settings: settings.map { .init(parameter: $0, value: .number($1)) })
  }
}
