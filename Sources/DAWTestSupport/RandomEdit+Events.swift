import DAWModel
import DAWTime

extension RandomEdits {
  func allEvents(_ project: Project) -> [RegionEvent] {
    project.events.keys.sorted().flatMap { project.events[$0] ?? [] }
  }

  mutating func events(_ project: Project) -> [RegionEvent]? {
    let regions = project.regions.keys.sorted().filter { project.regions[$0]?.regionType == .midi || chance(0.02) }
    guard let region = pick(regions).flatMap({ project.regions[$0] }) else { return nil }
    return (0..<number(1...12)).map { _ in event(in: region) }
  }

  mutating func changedEvents(_ project: Project) -> [RegionEvent]? {
    guard let old = pick(allEvents(project)), let region = project.regions[old.region] else { return nil }
    var changed = event(in: region)
    changed.id = old.id
    return [changed]
  }

  private mutating func event(in region: Region) -> RegionEvent {
    let length = if case .midi(let length) = region.content { length.ticks } else { Int64(1) }
    let message = message()
    return RegionEvent(
      id: newID(), region: region.id, start: TickCount(ticks: number(0...length + (chance(0.02) ? 10 : 0))),
      channel: message.kind.hasChannel || chance(0.02) ? Int(number(0...(chance(0.01) ? 20 : 15))) : 0,
      message: message)
  }

  private mutating func message() -> RegionEvent.Message {
    let most: Int64 = chance(0.03) ? 200 : 127
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .pitchBend(Int(number(chance(0.03) ? -9000...9000 : -8192...8191)))
    case 1: return .program(Int(number(0...most)), bank: chance(0.5) ? Int(number(0...16_383)) : nil)
    case 2: return .channelPressure(Int(number(0...most)))
    case 3: return .polyPressure(pitch: Int(number(0...most)), value: Int(number(0...127)))
    case 4:
      let body = (0..<number(0...6)).map { _ in UInt8(number(0...127)) }
      return .systemExclusive(chance(0.05) ? body : [chance(0.2) ? 0xf7 : 0xf0] + body + [0xf7])
    case 5:
      return .meta(
        type: Int(number(0...(chance(0.3) ? 130 : 10))), (0..<number(0...9)).map { _ in UInt8(number(0...255)) })
    default: return .controller(number: Int(number(0...most)), value: Int(number(0...127)))
    }
  }

  /// A change of tempo, meter, key signatures or markers.
  mutating func timeline(_ project: Project) -> Edit {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: change(project.tempoChanges) { $0.tempoChange($1) }
    case 1: change(project.meterChanges) { $0.meterChange($1) }
    case 2: change(project.keySignatures) { $0.keySignature($1) }
    default: change(project.markers) { $0.marker($1) }
    }
  }

  private mutating func change<E: Entity>(
    _ rows: [Identifier<E>: E], _ make: (inout Self, Identifier<E>) -> E
  ) -> Edit {
    guard chance(0.7), !rows.isEmpty else { return .add(make(&self, newID())) }
    let old = pick(rows.keys.sorted()) ?? newID()
    return chance(0.4) ? .remove(chance(0.05) ? Identifier<E>(rawValue: 3) : old) : .set(make(&self, old))
  }

  /// One of few positions, so that some are in use.
  private mutating func place() -> TickPosition { TickPosition(ticks: number(chance(0.05) ? -1...1 : 1...12) * 15_360) }

  private mutating func tempoChange(_ id: TempoChangeID) -> TempoChange {
    TempoChange(
      id: id, position: place(), tempo: Tempo(bpm: number(chance(0.05) ? 0...2000 : 5...999)), isRamp: chance(0.4))
  }

  private mutating func meterChange(_ id: MeterChangeID) -> MeterChange {
    MeterChange(
      id: id, bar: number(chance(0.05) ? 0...2 : 2...12),
      timeSignature: TimeSignature(Int(number(1...64)), over: pick([2, 4, 8, 16, chance(0.1) ? 3 : 64]) ?? 4))
  }

  private mutating func keySignature(_ id: KeySignatureID) -> KeySignature {
    KeySignature(id: id, position: place(), fifths: Int(number(chance(0.05) ? -9...9 : -7...7)), isMinor: chance(0.5))
  }

  private mutating func marker(_ id: MarkerID) -> Marker {
    let flicks = number(chance(0.05) ? -2...9 : 0...9_999_999_999)
    let isMusical = chance(0.5)
    var marker = Marker(
      id: id, name: name(), kind: chance(0.3) ? .cue : .marker,
      start: isMusical ? .musical(place()) : .absolute(FlickPosition(flicks: flicks)), color: chance(0.3) ? .blue : nil)
    if chance(0.5) {
      let length = number(chance(0.05) ? -1...1 : 1...99_999)
      let isOfOtherClock = chance(0.03)
      marker.length =
        isMusical != isOfOtherClock ? .musical(TickCount(ticks: length)) : .absolute(FlickCount(flicks: length))
    }
    return marker
  }
}
