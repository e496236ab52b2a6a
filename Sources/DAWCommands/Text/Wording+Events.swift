import DAWInterchange
import DAWModel
import DAWTime

extension Wording {
  /// "controller 64 = 127", "program 5 of bank 128", "lyric 'la'".
  static func event(_ event: EventDocument) -> String {
    let value = event.value.map(String.init) ?? "?"
    switch event.kind {
    case .controller: return "controller \(event.controller ?? 0) = \(value)"
    case .pitchBend: return "pitch bend \(value)"
    case .program:
      return "program \(event.program ?? 0)" + (event.bank.map { " of bank \($0)" } ?? "")
    case .channelPressure: return "pressure \(value)"
    case .polyPressure: return "pressure \(value) of \(Pitch.name(of: event.pitch ?? 0))"
    case .sysex:
      let bytes = event.bytes ?? ""
      return "sysex " + (bytes.count > 30 ? bytes.prefix(29) + "…" : bytes[...])
    case .meta:
      let noun = [1: "text", 5: "lyric"][event.metaType ?? 1] ?? "meta \(event.metaType ?? 1)"
      return "\(noun) '\((event.text ?? "").prefix(30))'"
    }
  }

  static let rampWithoutEnd =
    "A ramp goes to the next change of tempo, and there is none: the tempo stays as it is until one is added."

  /// "3.1.0 (0:04.000)".
  static func place(_ ticks: TickPosition, in map: TempoMap) -> String {
    "\(map.barBeatTick(at: ticks)) (\(time(map.flicks(at: ticks).seconds)))"
  }
}
