import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// An effect with what it refers to, and the values of all its parameters.
public struct EffectEntry: Sendable {
  public var effect: Effect
  public var track: Track
  /// The strip whose signal controls it.
  public var key: Track?
  /// Its place on the strip, from 1; those behind the fader come last.
  public var place: Int
  public var values: EffectValues

  /// "Vocal/compressor 2".
  public var name: String { "\(track.name)/\(effect.name)" }

  /// What happens to frequencies that the rate is too low for, in sentences.
  /// - SeeAlso: `EffectValues.highestFrequency(at:)`
  func clampedFrequencies(at rate: SampleRate) -> [String] {
    let highest = EffectValues.highestFrequency(at: rate)
    let above = values.frequenciesInUse.filter { $0.value > highest }
    guard !above.isEmpty else { return [] }
    let names = above.map { "\($0.parameter.name) \($0.parameter.text(of: $0.value))" }
    return [
      "\(names.joined(separator: ", ")): above what a rate of \(rate.hertz) Hz allows; heard as "
        + "\(Int(highest.rounded(.down))) Hz."
    ]
  }
}

extension ProjectView {
  /// The effects of a strip in their order, those behind the fader last.
  public func effects(of track: TrackID) throws -> [Effect] {
    try rows(Effect.self, where: "track", is: track).sorted(by: Effect.isBefore)
  }

  /// In the order of the strip.
  func effectEntries(of track: TrackID) throws -> [EffectEntry] {
    guard let row = try self.track(track) else { return [] }
    return try effects(of: track).enumerated().map { index, effect in
      EffectEntry(
        effect: effect, track: row, key: try effect.key.flatMap { try self.track($0) }, place: index + 1,
        values: effect.values(try rows(EffectSetting.self, where: "effect", is: effect.id)))
    }
  }

  /// In order of their tracks and places.
  /// - Parameter track: only those of this one.
  public func effectEntries(of track: Track? = nil) throws -> [EffectEntry] {
    if let track { return try effectEntries(of: track.id) }
    let tracks = try tracks()
    let names = Dictionary(tracks.map { ($0.id, $0) }) { first, _ in first }
    let effects = Dictionary(grouping: try all(Effect.self), by: \.track)
    let settings = Dictionary(grouping: try all(EffectSetting.self), by: \.effect)
    return tracks.flatMap { track in
      (effects[track.id] ?? []).sorted(by: Effect.isBefore).enumerated().map { index, effect in
        EffectEntry(
          effect: effect, track: track, key: effect.key.flatMap { names[$0] }, place: index + 1,
          values: effect.values(settings[effect.id] ?? []))
      }
    }
  }

  /// The effects of a strip, or one effect: whichever has the name.
  /// - Returns: the effects, and whether one of them was named.
  public func effectEntries(about reference: String) throws -> (entries: [EffectEntry], isOne: Bool) {
    do {
      return (try effectEntries(of: track(calledBy: reference)), false)
    } catch let noTrack as Failure where noTrack.code == "trackNotFound" {
      do {
        return ([try effect(calledBy: reference)], true)
      } catch let noEffect as Failure where noEffect.code == "effectNotFound" && !reference.contains("/") {
        throw noTrack
      }
    }
  }

  public func entry(of effect: Effect) throws -> EffectEntry {
    guard let entry = try effectEntries(of: effect.track).first(where: { $0.effect.id == effect.id }) else {
      throw EditError.missing(noun: Effect.noun, id: effect.id.uuidString)
    }
    return entry
  }

  /// The effect with `TRACK/EFFECT`, the name of an effect that only one track has, or an id. An effect is named by its
  /// kind, and a number behind it from the second on: `compressor 2`.
  /// - Throws: `Failure` with similar names, or with the candidates.
  public func effect(calledBy reference: String) throws -> EffectEntry {
    // Not looked for among all: thousands of lines of a batch may name effects.
    if let id = try IDReference(reference).flatMap({ EffectID(uuidString: $0.digits) }), let effect = try row(id) {
      return try entry(of: effect)
    }
    if let slash = reference.lastIndex(of: "/"), let track = try track(named: String(reference[..<slash])) {
      let name = Name.key(of: String(reference[reference.index(after: slash)...]))
      let found = try effectEntries(of: track.id).first { Name.key(of: $0.effect.name) == name }
      if let found { return found }
    }
    return try effects(calledBy: [reference])[0]
  }

  /// The same for several, in their order. There may be thousands, of thousands: all effects are read once.
  func effects(calledBy references: [String]) throws -> [EffectEntry] {
    let entries = try effectEntries()
    let ids = entries.map(\.effect.id)
    let byID = Dictionary(entries.map { ($0.effect.id, $0) }) { first, _ in first }
    let byOwnName = Dictionary(grouping: entries) { Name.key(of: $0.effect.name) }
    let byWholeName = Dictionary(grouping: entries) { Name.key(of: $0.name) }
    func foundByID(_ digits: String) -> [EffectEntry] { ShortIDs.matching(ids, digits).compactMap { byID[$0] } }
    return try references.map { reference in
      let id = try IDReference(reference)
      if let digits = id?.forced { return try one(foundByID(digits), reference, entries) }
      let key = Name.key(of: reference)
      var found = (byOwnName[key] ?? []) + (byWholeName[key] ?? [])
      if found.isEmpty {
        // The track may be called by its id.
        for slash in reference.indices where reference[slash] == "/" {
          guard let track = try? track(calledBy: String(reference[..<slash])) else { continue }
          let name = Name.key(of: String(reference[reference.index(after: slash)...]))
          found += (byOwnName[name] ?? []).filter { $0.track.id == track.id }
        }
      }
      if found.isEmpty, let digits = id?.digits { found = foundByID(digits) }
      return try one(found, reference, entries)
    }
  }

  private func one(_ found: [EffectEntry], _ reference: String, _ all: [EffectEntry]) throws -> EffectEntry {
    guard let entry = found.first else {
      let hasTrack = reference.contains("/")
      throw referenceNotFound("effect", reference, among: all.map { hasTrack ? $0.name : $0.effect.name })
    }
    guard found.count == 1 else {
      throw ambiguousReference("effect", reference, found.map { "'\($0.name)' (id \($0.effect.id))" })
    }
    return entry
  }
}
