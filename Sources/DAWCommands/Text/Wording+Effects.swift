import DAWInterchange
import DAWModel
import DAWProject

extension Wording {
  /// " (highPass 80 Hz, bypassed)"; empty for an effect at its defaults.
  static func behind(_ entry: EffectEntry) -> String {
    let words = settings(entry)
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }

  /// "threshold -22 dB", "ratio 3:1", "key Kick", "bypassed": what is not as it is by default.
  static func settings(_ entry: EffectEntry) -> [String] {
    var words = settings(entry.values)
    if let key = entry.key { words.append("key \(key.name)") }
    if entry.effect.isPostFader { words.append("post-fader") }
    if entry.effect.isBypassed { words.append("bypassed") }
    if entry.effect.isOff { words.append("off") }
    return words
  }

  /// "threshold -22 dB", "ratio 3:1"; of an equaliser, "highPass 80 Hz 24 dB/octave" for each band that is on.
  static func settings(_ values: EffectValues) -> [String] {
    guard values.kind == .eq else {
      return values.changed.map { "\($0.parameter.name) \($0.parameter.text(of: $0.value))" }
    }
    return (1...EffectKind.bandCount).compactMap { band(values, "band\($0)") }
  }

  /// `nil` for a band that is off.
  private static func band(_ values: EffectValues, _ name: String) -> String? {
    guard values["\(name).type"] != 0 else { return nil }
    func text(_ parameter: String) -> String {
      let value = values["\(name).\(parameter)"]
      return values.kind.parameter("\(name).\(parameter)")?.text(of: value) ?? ""
    }
    func isChanged(_ parameter: String) -> Bool {
      values["\(name).\(parameter)"] != values.kind.parameter("\(name).\(parameter)")?.defaultValue
    }
    var words = [text("type"), text("frequency")]
    if ["bell", "lowShelf", "highShelf"].contains(words[0]) { words.append(text("gain")) }
    if isChanged("q") { words.append("q \(text("q"))") }
    if ["lowPass", "highPass"].contains(words[0]), isChanged("slope") { words.append("\(text("slope")) dB/octave") }
    return words.joined(separator: " ")
  }
}

extension Wording {
  /// "eq, compressor 2 (bypassed), reverb (post-fader)": in the order of the strip; `nil` if it has none.
  static func effects(_ track: TrackDocument) -> String? {
    guard !track.effects.isEmpty else { return nil }
    return track.effects.map { effect in
      var words: [String] = []
      if effect.isPostFader { words.append("post-fader") }
      if effect.isBypassed { words.append("bypassed") }
      if effect.isOff { words.append("off") }
      return effect.row.name + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))")
    }.joined(separator: ", ")
  }

  /// "automated: volume, send:Reverb.level, eq.band2.gain (not read)": `nil` if it has no lanes.
  static func lanes(_ track: TrackDocument) -> String? {
    func names(_ lanes: [LaneDocument]?, _ prefix: String = "") -> [String] {
      (lanes ?? []).map { prefix + $0.parameter + ($0.isRead ? "" : " (not read)") }
    }
    let all =
      names(track.lanes) + track.sends.flatMap { names($0.lanes, "send:\($0.bus).") }
      + track.effects.flatMap { names($0.lanes, "\($0.row.name).") }
    return all.isEmpty ? nil : "automated: \(all.joined(separator: ", "))"
  }
}

// MARK: JSON

extension EffectEntry {
  /// - Parameter all: whether parameters at their defaults are in it.
  func json(all: Bool = false) -> JSONObject {
    JSONObject([
      "id": effect.id.uuidString, "kind": effect.kind.rawValue, "name": effect.name, "number": effect.number,
      "track": track.name.text, "trackID": track.id.uuidString, "place": place, "isPostFader": effect.isPostFader,
      "isBypassed": effect.isBypassed, "isOff": effect.isOff, "key": key?.name.text, "keyID": key?.id.uuidString,
      "settings": values.json(all: all),
    ])
  }
}

extension EffectValues {
  /// Choices by their names, toggles as true and false.
  func json(all: Bool) -> JSONObject {
    let listed = zip(kind.parameters, values).filter { all || $0.defaultValue != $1 }
    return JSONObject(
      Dictionary(uniqueKeysWithValues: listed.map { parameter, value in (parameter.name, parameter.jsonValue(value)) }))
  }
}

extension EffectParameter {
  func jsonValue(_ value: Double) -> any JSONWritable {
    switch unit {
    case .choice: text(of: value)
    case .toggle: value != 0
    default: value
    }
  }
}
