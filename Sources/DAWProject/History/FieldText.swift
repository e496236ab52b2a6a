import DAWModel
import DAWStore
import DAWTime

/// The values of fields in users' units. Every type of field is formatted here, whatever entity has it.
struct FieldText {
  let map: TempoMap
  let label: (any RowReference) throws -> String

  private struct Text {
    var number: String
    /// " dB", so that it is written once: "-6 → -3 dB".
    var unit = ""
    /// The same to the last digit, where `number` is rounded.
    var exact: String?
  }

  /// The value before and after; `nil` if the values mean nothing to users.
  func pair(_ old: (any FieldValue)?, _ new: (any FieldValue)?, stored: (old: StoredValue?, new: StoredValue?))
    throws -> (old: String, new: String)?
  {
    guard let before = try text(old, stored.old), let after = try text(new, stored.new) else { return nil }
    if before.number + before.unit == after.number + after.unit, before.exact != nil || after.exact != nil {
      return (before.exact ?? before.number, after.exact ?? after.number)
    }
    return (before.number + (before.unit == after.unit ? "" : before.unit), after.number + after.unit)
  }

  private func text(_ value: (any FieldValue)?, _ stored: StoredValue?) throws -> Text? {
    guard let value else { return Text(number: Self.raw(stored ?? .null)) }
    switch value.present {
    case nil: return Text(number: "none")
    case is OrderKey: return nil
    case let level as Level:
      return level == .silence
        ? Text(number: "-inf", unit: " dB") : Text(number: Self.decimal(level.decibels), unit: " dB")
    case let tempo as Tempo: return Text(number: tempo.description, unit: " BPM")
    case let rate as SampleRate: return Text(number: "\(rate.hertz)", unit: " Hz")
    case let position as TimelinePosition: return text(position)
    case let position as TickPosition: return text(.musical(position))
    case .some(TimelineDistance.musical(let ticks)): return Text(number: ticks.description)
    case .some(TimelineDistance.absolute(let flicks)): return text(flicks)
    case let flicks as FlickCount: return text(flicks)
    case let ticks as TickCount: return Text(number: ticks.description)
    case let frames as FrameCount: return Text(number: "\(frames.frames)", unit: " frames")
    case let days as Days: return Text(number: "\(days.count)", unit: days.count == 1 ? " day" : " days")
    case let pitch as PitchNumber: return Text(number: pitch.name)
    case let channel as ChannelNumber: return Text(number: "\(Int128(channel.number) + 1)")
    case let setting as EffectSettingValue:
      let words = setting.text.split(separator: " ", maxSplits: 1).map(String.init)
      return Text(number: words.first ?? "", unit: words.count > 1 ? " " + words[1] : "", exact: "\(setting.number)")
    case let bar as BarNumber: return Text(number: "\(bar.number)")
    case let tags as Tags: return Text(number: tags.words.isEmpty ? "none" : tags.simple)
    case let flag as Bool: return Text(number: flag ? "yes" : "no")
    case let date as Timestamp:
      return Text(number: date.iso8601.prefix(19).replacing("T", with: " ") + " UTC", exact: date.iso8601)
    case let unset as NamedDefault: return Text(number: unset.name)
    case let reference as any RowReference: return Text(number: try label(reference))
    case let text as String: return Text(number: Self.raw(.text(text)))
    case let name as Name: return Text(number: Self.raw(.text(name.text)))
    case let value?:
      // Names of choices and colours stand without quotes.
      if case .text(let text) = value.stored { return Text(number: text.bounded) }
      return Text(number: Self.raw(value.stored))
    }
  }

  private func text(_ position: TimelinePosition) -> Text {
    let exact =
      switch position {
      case .musical(let ticks): ticks.description
      case .absolute(let flicks): flicks.description
      }
    return Text(
      number: "\(map.barBeatTick(at: map.ticks(at: position))) (\(map.flicks(at: position).clock()))", exact: exact)
  }

  /// "0.02s" below a minute, "1:02.500" from there on.
  private func text(_ length: FlickCount) -> Text {
    guard length.flicks.magnitude >= UInt64(60 * FlickCount.perSecond) else { return Text(number: length.description) }
    return Text(number: length.clock(), exact: length.description)
  }

  private static func raw(_ stored: StoredValue) -> String {
    switch stored {
    case .null: "none"
    case .integer(let number): "\(number)"
    case .real(let number): decimal(number)
    case .text(let text): "'\(text.bounded)'"
    case .bytes(let bytes): counted(bytes.count, "byte")
    }
  }

  private static func decimal(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// What users call a column: "isMuted" is "muted", "audioOffset" is "audio offset".
  static func name(ofColumn column: String) -> String {
    if let name = names[column] { return name }
    var name = column[...]
    for prefix in ["is", "has"] where name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isUppercase == true
    {
      name = name.dropFirst(prefix.count)
    }
    return name.reduce(into: "") { words, letter in
      if letter.isUppercase, !words.isEmpty { words += " " }
      words += letter.lowercased()
    }
  }

  /// Columns whose names are not their words.
  private static let names = [
    "startTime": "start", "duration": "length", "orderKey": "order", "midiOutput": "MIDI output",
    "midiInput": "MIDI input", "input1": "input", "input2": "second input",
    "isRecordEnabled": "armed", "keepNewest": "keep newest recordings",
    "outputBus": "output", "isOutputConnected": "output connected", "trackGroup": "group",
    "soundFont": "SoundFont", "sha256": "SHA-256", "trackType": "type", "regionType": "type",
  ]
}
