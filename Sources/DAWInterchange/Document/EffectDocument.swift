import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// An effect as JSON, within its track, in the order of the strip.
@dynamicMemberLookup
public struct EffectDocument {
  public var row: Effect
  /// The name of the track that controls it.
  public var key: String?
  /// The parameters that are not at their defaults.
  public var settings: [EffectSettingDocument] = []
  /// `nil` if there are none.
  public var lanes: [LaneDocument]?

  public subscript<Value>(dynamicMember path: KeyPath<Effect, Value>) -> Value { row[keyPath: path] }
}

extension EffectDocument: JSONRecord {
  /// Its number is 0: the effect gets the first number that is free.
  package static var blank: EffectDocument {
    var effect = Effect(blank: EffectID(rawValue: 0))
    effect.number = 0
    return EffectDocument(row: effect)
  }

  package static let members: JSONMembers<EffectDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("kind", \.row.kind, isRequired: true),
    JSONMember("number", \.row.number),
    JSONMember("isPostFader", \.row.isPostFader),
    JSONMember("isBypassed", \.row.isBypassed),
    JSONMember("isOff", \.row.isOff),
    JSONMember("key", \.key),
    JSONMember("settings", \.settings),
    JSONMember(ifPresent: "lanes", \.lanes),
  ]
}

/// A parameter of an effect as JSON.
public struct EffectSettingDocument {
  public var row: EffectSetting
  public var value = EffectValueDocument.number(0)
}

extension EffectSettingDocument: JSONRecord {
  package static var blank: EffectSettingDocument {
    EffectSettingDocument(row: EffectSetting(blank: EffectSettingID(rawValue: 0)))
  }

  package static let members: JSONMembers<EffectSettingDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("parameter", \.row.parameter, isRequired: true),
    JSONMember("value", \.value, isRequired: true),
  ]
}

/// A value of a parameter: a number in its unit, the name of a choice, or whether a toggle is on.
public enum EffectValueDocument: Hashable, Sendable {
  case number(Double)
  case name(String)
  case flag(Bool)

  init(_ value: Double, of parameter: EffectParameter?) {
    switch parameter?.unit {
    case .choice: self = .name(parameter?.text(of: value) ?? "")
    case .toggle: self = .flag(value != 0)
    default: self = .number(value)
    }
  }

  /// `nil` for what is no value of the parameter's kind.
  func number(of parameter: EffectParameter) -> Double? {
    switch (self, parameter.unit) {
    case (.flag(let flag), .toggle): flag ? 1 : 0
    case (.name(let name), .choice): parameter.value(of: name)
    case (_, .toggle), (_, .choice): nil
    case (.number(let number), _): number == 0 ? 0 : number
    default: nil
    }
  }
}

extension EffectValueDocument: JSONWritable, JSONReadable {
  package func write(to writer: inout JSONWriter) throws {
    switch self {
    case .number(let number): writer.real(number)
    case .name(let name): writer.string(name)
    case .flag(let flag): writer.bool(flag)
    }
  }

  package init(from reader: inout JSONReader) throws {
    switch try reader.peek() {
    case UInt8(ascii: "\""): self = .name(try reader.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .flag(try reader.bool())
    default: self = .number(try reader.real())
    }
  }
}

// MARK: Writing

extension EffectDocument {
  init(_ effect: Effect, _ settings: [EffectSetting], key: String?, lanes: [LaneDocument]? = nil) {
    row = effect
    self.lanes = lanes
    self.key = key
    self.settings = settings.sorted { $0.id < $1.id }.map { setting in
      EffectSettingDocument(
        row: setting, value: EffectValueDocument(setting.value, of: effect.kind.parameter(setting.parameter)))
    }
  }
}

/// The effects of all tracks.
struct ProjectEffects {
  private var byTrack: [TrackID: [EffectDocument]] = [:]

  init(_ view: ProjectView, _ tracks: [Track], _ lanes: ProjectLanes? = nil) throws {
    let names = Dictionary(tracks.map { ($0.id, $0.name.text) }) { first, _ in first }
    let settings = Dictionary(grouping: try view.all(EffectSetting.self), by: \.effect)
    byTrack = Dictionary(grouping: try view.all(Effect.self), by: \.track).mapValues { effects in
      effects.sorted(by: Effect.isBefore).map { effect in
        EffectDocument(
          effect, settings[effect.id] ?? [], key: effect.key.flatMap { names[$0] }, lanes: lanes?.of(.effect(effect.id))
        )
      }
    }
  }

  func of(_ track: TrackID) -> [EffectDocument] { byTrack[track] ?? [] }
}

extension ProjectView {
  /// The effects of one track.
  func effectDocuments(of track: TrackID) throws -> [EffectDocument] {
    try effects(of: track).map { effect in
      EffectDocument(
        effect, try rows(EffectSetting.self, where: "effect", is: effect.id),
        key: try effect.key.flatMap { try self.track($0)?.name.text })
    }
  }
}

// MARK: Reading

extension Editor {
  /// Adds the effects of all tracks, when these are there: keys refer to them by name.
  func addEffects(of tracks: [(id: TrackID, document: TrackDocument)], in map: TempoMap) throws {
    let ids = Dictionary(tracks.map { ($0.document.name.key, $0.id) }) { first, _ in first }
    for (track, document) in tracks {
      var key: OrderKey?
      var taken: [EffectKind: Set<Int>] = [:]
      for document in document.effects {
        var effect = document.row
        effect.track = track
        effect.orderKey = .between(key, nil)
        key = effect.orderKey
        if effect.number == 0 {
          let numbers = taken[effect.kind] ?? []
          effect.number = (1...numbers.count + 1).first { !numbers.contains($0) } ?? 1
        }
        taken[effect.kind, default: []].insert(effect.number)
        if let name = document.key {
          guard let id = ids[Name.key(of: name)] else {
            throw Failure.notInJSON("track", name)
          }
          effect.key = id
        }
        let added = try add([effect], \.id)[0]
        try add(try document.rows(of: added), \.id)
        try add(document.lanes, of: .effect(added.id), in: map)
      }
    }
  }
}

extension EffectDocument {
  /// The rows of its settings.
  fileprivate func rows(of effect: Effect) throws -> [EffectSetting] {
    try settings.map { document in
      var setting = document.row
      setting.effect = effect.id
      guard let parameter = effect.kind.parameter(setting.parameter) else {
        throw RuleViolation(
          .effectSetting, value: "the parameter '\(setting.parameter.prefix(100))'", subject: effect.subject)
      }
      guard let value = document.value.number(of: parameter) else {
        throw RuleViolation(
          .effectSetting, value: "a value of another kind for \(parameter.name)", subject: effect.subject,
          accepted: "\(parameter.name) is \(parameter.acceptedValues).")
      }
      setting.value = value
      return setting
    }
  }
}
