import DAWErrors
import DAWModel
import DAWStore

/// What changes of an effect; `nil` keeps it, or is the default of a new one.
public struct EffectChange: Sendable {
  /// The name of a preset, whose values replace all.
  public var preset: String?
  /// `NAME=VALUE` each, after the preset.
  public var settings: [String] = []
  /// The strip whose signal controls it, by name or id, or `none`.
  public var key: String?
  public var isPostFader: Bool?
  public var isBypassed: Bool?
  public var isOff: Bool?
  /// The place among the effects of the strip, from 1; those behind the fader come last.
  public var place: Int?

  public init() {}

  public var isEmpty: Bool {
    preset == nil && settings.isEmpty && key == nil && isPostFader == nil && isBypassed == nil && isOff == nil
      && place == nil
  }
}

extension EffectChange {
  /// ": preset vocal, ratio=3", for a line of the history; empty where no parameters change.
  fileprivate var words: String {
    let words = (preset.map { ["preset \($0)"] } ?? []) + settings
    return words.isEmpty ? "" : ": \(words.joined(separator: ", "))"
  }
}

/// An effect that was edited, and what a user should know of it, in sentences.
public struct EffectEdit: Sendable {
  public var entry: EffectEntry
  public var remarks: [String] = []
  /// The parameters that were set, by themselves or by a preset.
  public var setParameters: [String] = []
}

extension Editor {
  /// Adds an effect to a strip.
  /// - Parameters:
  ///   - strip: a track, a bus or the master, by name or id.
  ///   - presets: where the change's preset is looked for.
  public func addEffect(
    _ kind: EffectKind, to strip: String, _ change: EffectChange = EffectChange(), presets: EffectPresets
  ) throws -> EffectEdit {
    let track = try view.track(calledBy: strip)
    var effect = try newEffect(kind, on: track)
    try set(&effect, change, on: track)
    effect.orderKey = try orderKey(forPlace: change.place, of: effect)
    try apply(.add(effect))
    let values = try values(EffectValues(kind), change, of: effect, on: track, presets)
    try write(values, of: effect)
    note("Added effect '\(track.name)/\(effect.name)'\(change.words)")
    return try edit(of: effect)
  }

  public func setEffect(_ reference: String, _ change: EffectChange, presets: EffectPresets) throws -> EffectEdit {
    let old = try view.effect(calledBy: reference)
    var effect = old.effect
    try set(&effect, change, on: old.track)
    if change.place != nil || effect.isPostFader != old.effect.isPostFader {
      effect.orderKey = try orderKey(forPlace: change.place, of: effect)
    }
    if effect != old.effect { try apply(.set(effect)) }
    let values = try values(old.values, change, of: effect, on: old.track, presets)
    if values != old.values { try write(values, of: effect) }
    note("Changed effect '\(old.name)'\(change.words)")
    let typed = Set(change.settings.map { String($0.prefix { $0 != "=" }).lowercased() })
    var edit = try edit(of: effect)
    edit.setParameters = effect.kind.parameters.map(\.name).filter {
      typed.contains($0.lowercased()) || old.values[$0] != values[$0]
    }
    return edit
  }

  /// Moves an effect along its strip, or to another one, where it has the first number that is free.
  /// - Parameters:
  ///   - place: among the effects of the strip, from 1; `nil`: the last of those on its side of the fader.
  ///   - strip: by name or id; `nil`: its own.
  public func moveEffect(_ reference: String, toPlace place: Int?, on strip: String?) throws -> EffectEdit {
    let old = try view.effect(calledBy: reference)
    let track = try strip.map { try view.track(calledBy: $0) } ?? old.track
    var effect = old.effect
    var remarks: [String] = []
    if track.id != effect.track {
      effect.track = track.id
      effect.number = try freeNumber(of: effect.kind, on: track)
      if effect.key == track.id {
        effect.key = nil
        remarks.append(Self.lostKey(track))
      }
    }
    effect.orderKey = try orderKey(forPlace: place, of: effect)
    if effect != old.effect { try apply(.set(effect)) }
    note("Moved effect '\(old.name)'")
    var edit = try edit(of: effect)
    edit.remarks = remarks + edit.remarks
    return edit
  }

  /// Copies an effect with its settings, behind the others of a strip.
  /// - Parameters:
  ///   - strip: by name or id; `nil`: its own.
  ///   - place: as `moveEffect` has it.
  public func copyEffect(_ reference: String, to strip: String?, place: Int?) throws -> EffectEdit {
    let original = try view.effect(calledBy: reference)
    let track = try strip.map { try view.track(calledBy: $0) } ?? original.track
    var copy = original.effect
    (copy.id, copy.track) = (try newID(), track.id)
    copy.number = try freeNumber(of: copy.kind, on: track)
    var remarks: [String] = []
    if copy.key == track.id {
      copy.key = nil
      remarks.append(Self.lostKey(track))
    }
    copy.orderKey = try orderKey(forPlace: place, of: copy)
    try apply(.add(copy))
    try write(original.values, of: copy)
    note("Copied effect '\(original.name)' to '\(track.name)/\(copy.name)'")
    var edit = try edit(of: copy)
    edit.remarks = remarks + edit.remarks
    return edit
  }

  /// Removes effects with their settings.
  public func removeEffects(_ references: [String]) throws -> [EffectEntry] {
    // All are found before one goes, and one that is named twice goes once.
    let found = try view.effects(calledBy: references)
    var seen: Set<EffectID> = []
    let removed = found.filter { seen.insert($0.effect.id).inserted }
    try apply(.remove(removed.map(\.effect.id)))
    for entry in removed { note("Removed effect '\(entry.name)'") }
    return removed
  }

  /// Copies all effects of a track with their settings.
  /// - Returns: the copies, by the originals.
  func copyEffects(of original: TrackID, to copy: TrackID) throws -> [EffectID: EffectID] {
    var copies: [EffectID: EffectID] = [:]
    for entry in try view.effectEntries(of: original) {
      var effect = entry.effect
      (effect.id, effect.track) = (try newID(), copy)
      try apply(.add(effect))
      try write(entry.values, of: effect)
      copies[entry.effect.id] = effect.id
    }
    return copies
  }

  /// The names of the effects on other strips that a track is the key of: "Bass/compressor".
  func effectNames(keyedBy track: TrackID) throws -> [String] {
    try view.rows(Effect.self, where: "key", is: track).filter { $0.track != track }.map { effect in
      "\(try view.track(effect.track)?.name.text ?? "")/\(effect.name)"
    }
  }

  // MARK: Parts of an edit

  private func newEffect(_ kind: EffectKind, on track: Track) throws -> Effect {
    var effect = Effect(blank: try newID())
    (effect.track, effect.kind) = (track.id, kind)
    effect.number = try freeNumber(of: kind, on: track)
    return effect
  }

  private func freeNumber(of kind: EffectKind, on track: Track) throws -> Int {
    let taken = Set(try view.rows(Effect.self, where: "track", is: track.id).filter { $0.kind == kind }.map(\.number))
    return (1...taken.count + 1).first { !taken.contains($0) } ?? taken.count + 1
  }

  private func set(_ effect: inout Effect, _ change: EffectChange, on track: Track) throws {
    if let isPostFader = change.isPostFader { effect.isPostFader = isPostFader }
    if let isBypassed = change.isBypassed { effect.isBypassed = isBypassed }
    if let isOff = change.isOff { effect.isOff = isOff }
    guard let key = change.key else { return }
    let isNone = try key.lowercased() == "none" && view.track(named: key) == nil
    effect.key = isNone ? nil : try view.track(calledBy: key).id
  }

  private func values(
    _ old: EffectValues, _ change: EffectChange, of effect: Effect, on track: Track, _ presets: EffectPresets
  ) throws -> EffectValues {
    var values = try change.preset.map { try presets.preset(effect.kind, named: $0).values } ?? old
    let assignments = EffectAssignments(kind: effect.kind, subject: "effect '\(track.name)/\(effect.name)'")
    values.assign(try assignments.read(change.settings))
    return values
  }

  /// Adds, changes and removes rows so that the effect has these values.
  private func write(_ values: EffectValues, of effect: Effect) throws {
    let old = Dictionary(
      try view.rows(EffectSetting.self, where: "effect", is: effect.id).map { ($0.parameter, $0) }
    ) { first, _ in first }
    let changed = Dictionary(values.changed.map { ($0.parameter.name, $0.value) }) { first, _ in first }
    let gone = old.values.filter { changed[$0.parameter] == nil }.map(\.id).sorted()
    if !gone.isEmpty { try apply(.remove(gone)) }
    for (parameter, value) in values.changed {
      if var setting = old[parameter.name] {
        guard setting.value != value else { continue }
        setting.value = value
        try apply(.set(setting))
      } else {
        var setting = EffectSetting(blank: try newID())
        (setting.effect, setting.parameter, setting.value) = (effect.id, parameter.name, value)
        try apply(.add(setting))
      }
    }
  }

  /// The order key for a place on the effect's strip.
  /// - Parameter place: from 1; `nil`: the last of those on its side of the fader.
  private func orderKey(forPlace place: Int?, of effect: Effect) throws -> OrderKey {
    let others = try view.effects(of: effect.track).filter { $0.id != effect.id }
    let side = others.filter { $0.isPostFader == effect.isPostFader }
    // Those behind the fader are counted after those before it.
    let first = effect.isPostFader ? others.count - side.count + 1 : 1
    let places = first...first + side.count
    let place = place ?? places.upperBound
    guard places.contains(place) else {
      throw Failure(
        .invalid, code: "invalidEffectPosition",
        "There is no place \(place) for effect '\(effect.name)'. Nothing was changed.",
        hint: "Its places \(effect.isPostFader ? "behind" : "before") the fader go from \(first) to "
          + "\(places.upperBound)"
          + (others.count == side.count ? "." : "; --pre and --post take it to the other side."))
    }
    let index = place - first
    let key = OrderKey.between(
      index > 0 ? side[index - 1].orderKey : nil, index < side.count ? side[index].orderKey : nil)
    guard key.digits.utf8.count > Self.maximumEffectKeyLength else { return key }
    return try respacedKey(forIndex: index, among: side)
  }

  /// Keys grow when effects are inserted at one place repeatedly. All are assigned anew before they exceed this length.
  private static let maximumEffectKeyLength = 100

  private func respacedKey(forIndex index: Int, among others: [Effect]) throws -> OrderKey {
    var keys: [OrderKey] = []
    for _ in 0...others.count { keys.append(.between(keys.last, nil)) }
    let own = keys.remove(at: index)
    for (var effect, key) in zip(others, keys) {
      effect.orderKey = key
      try apply(.set(effect))
    }
    return own
  }

  private func edit(of effect: Effect) throws -> EffectEdit {
    let entry = try view.entry(of: effect)
    let clamped = entry.clampedFrequencies(at: try view.header().settings.sampleRate)
    return EffectEdit(entry: entry, remarks: try clamped + view.idleReasons(of: effect))
  }

  private static func lostKey(_ track: Track) -> String {
    "Track '\(track.name)' was its key, and a strip is not a key of its own effect: it has none now."
  }
}
