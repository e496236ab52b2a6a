import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// What somebody said of a region; what was not said stays as it is, or takes its default.
public struct RegionChange: Sendable {
  public var name: String?
  /// `.some(nil)`: the track's.
  public var color: Color??
  public var gain: Level?
  public var isMuted: Bool?
  public var timeBase: TimeBase?
  /// On the timeline.
  public var start: TimelinePosition?
  /// Of an audio region in flicks, of a MIDI region in ticks; given the map, the start and the clock that is wanted.
  public var length: LengthExpression?
  public var offset: FlickCount?
  public var channels: ChannelSelection?
  /// As it is called.
  public var track: String?
  /// Lets a MIDI region that is made shorter cut off its notes and events.
  public var cutsNotes = false

  public init() {}
}

/// A length that depends on where it begins and in which clock it is wanted: "2.0.0" is two bars of the meter there.
public struct LengthExpression: Sendable {
  public var ticks: @Sendable (TempoMap, TickPosition) throws -> TickCount
  public var flicks: @Sendable (TempoMap, FlickPosition) throws -> FlickCount

  public init(
    ticks: @escaping @Sendable (TempoMap, TickPosition) throws -> TickCount,
    flicks: @escaping @Sendable (TempoMap, FlickPosition) throws -> FlickCount
  ) {
    self.ticks = ticks
    self.flicks = flicks
  }
}

extension Editor {
  /// Adds a MIDI region; one second long where nothing is said.
  public func addMIDIRegion(to trackReference: String, _ change: RegionChange) throws -> Region {
    let map = try tempoMap()
    let track = try view.track(calledBy: trackReference)
    let start = map.ticks(at: change.start ?? .musical(.zero))
    let length =
      try change.length?.ticks(map, start) ?? map.ticks(at: map.flicks(at: start) + .seconds(1)) - start
    var region = Region(
      id: try newRegionID(), track: track.id, start: .musical(start), content: .midi(length))
    region.name = try freeName(region.name, on: track.id)
    try applyLooks(change, to: &region)
    try apply(.addRegion(region))
    note("Added MIDI region '\(region.name)' to track '\(track.name)'")
    return region
  }

  public func setRegion(_ reference: String, _ change: RegionChange) throws -> Region {
    let old = try view.region(calledBy: reference)
    let map = try tempoMap()
    var region = old
    try applyLooks(change, to: &region)
    if let track = change.track { region.track = try view.track(calledBy: track).id }
    if let start = change.start ?? (change.timeBase.map { _ in old.start }) {
      region.start =
        (change.timeBase ?? old.start.timeBase) == .musical
        ? .musical(map.ticks(at: start)) : .absolute(map.flicks(at: start))
    }
    switch region.content {
    case .midi(let length):
      try requireNoAudioOptions(change, old)
      let newLength = try change.length?.ticks(map, map.ticks(at: region.start)) ?? length
      if newLength < length, change.cutsNotes { try cutNotes(of: old, at: newLength) }
      region.content = .midi(newLength)
    case .audio(var span):
      if let offset = change.offset { span.offset = offset }
      if let length = change.length { span.duration = try length.flicks(map, map.flicks(at: region.start)) }
      if let channels = change.channels { span.channels = channels }
      region.content = .audio(span)
    }
    if region != old { try apply(.setRegion(region)) }
    note("Changed region '\(old.name)'")
    return region
  }

  /// With its notes and events.
  public func removeRegions(_ references: [String]) throws -> [Region] {
    // All are found before any is gone: what means two regions now must not mean one then.
    var regions: [Region] = []
    for region in try references.map(view.region(calledBy:)) where !regions.contains(region) { regions.append(region) }
    for region in regions {
      try apply(.removeRegion(region.id))
      note("Removed region '\(region.name)'")
    }
    return regions
  }

  /// Copies a region, its notes and events included; each further copy begins where the one before ends.
  public func copyRegion(_ reference: String, at place: TimelinePosition, count: Int) throws -> [Region] {
    let region = try view.region(calledBy: reference)
    let map = try tempoMap()
    let notes = region.regionType == .midi ? try view.notes(in: region.id) : []
    let events = region.regionType == .midi ? try view.events(in: region.id) : []
    var start =
      region.start.timeBase == .musical
      ? .musical(map.ticks(at: place)) : TimelinePosition.absolute(map.flicks(at: place))
    return try (0..<count).map { _ in
      var copy = region
      copy.id = try newRegionID()
      copy.name = try freeName(region.name, on: region.track)
      copy.start = start
      try apply(.addRegion(copy))
      if !notes.isEmpty {
        let first = try newNoteID()
        try apply(
          .addNotes(
            notes.enumerated().map { index, note in
              var note = note
              note.id = first.advanced(by: index)
              note.region = copy.id
              return note
            }))
      }
      if !events.isEmpty {
        let first = try newEventID()
        try apply(
          .addEvents(
            events.enumerated().map { index, event in
              var event = event
              event.id = first.advanced(by: index)
              event.region = copy.id
              return event
            }))
      }
      let end = copy.endFlicks(in: map)
      start =
        if case .musical(let ticks) = copy.start {
          if case .midi(let length) = copy.content { .musical(ticks + length) } else { .musical(map.ticks(at: end)) }
        } else { .absolute(end) }
      note("Copied region '\(region.name)'")
      return copy
    }
  }

  /// A name that no region of the track has, so that the region can be called by it.
  package func freeName(_ name: Name, on track: TrackID) throws -> Name {
    try name.freed { try !view.regions(named: $0, on: track).isEmpty }
  }

  /// What every region has, whatever it holds.
  func applyLooks(_ change: RegionChange, to region: inout Region) throws {
    if let name = change.name { region.name = try Name(name) }
    if let color = change.color { region.color = color }
    if let gain = change.gain {
      guard region.regionType == .audio || gain == .unity else {
        throw Failure(
          .invalid, code: Rule.gain.rawValue, "\(region.subject) holds notes, so it has no gain. Nothing was changed.",
          hint: "Set the track's volume, or the notes' velocities.")
      }
      region.gain = gain
    }
    if let isMuted = change.isMuted { region.isMuted = isMuted }
  }

  private func requireNoAudioOptions(_ change: RegionChange, _ region: Region) throws {
    guard change.offset == nil, change.channels == nil, change.timeBase != .absolute else {
      throw Failure(
        .invalid, code: Rule.regionType.rawValue,
        "\(region.subject) holds notes, so it has no offset, no channels and no absolute time base. Nothing was changed.",
        hint: "These belong to audio regions.")
    }
  }

  /// Removes the notes that begin at or after a place in a region, and the events after it, and ends there the notes
  /// that cross it.
  private func cutNotes(of region: Region, at end: TickCount) throws {
    let notes = try view.notes(in: region.id)
    let gone = notes.filter { $0.start >= end }
    let crossing = notes.filter { $0.start < end && $0.end > end }.map { note in
      var note = note
      note.duration = end - note.start
      return note
    }
    if !gone.isEmpty { try apply(.removeNotes(gone.map(\.id))) }
    if !crossing.isEmpty { try apply(.setNotes(crossing)) }
    let events = try view.events(in: region.id).filter { $0.start > end }
    if !events.isEmpty { try apply(.removeEvents(events.map(\.id))) }
  }
}
