import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// Where a region lies and what it plays: what depends on its type, the tempo map or other rows. `nil` keeps it, or is
/// the default of a new region.
public struct RegionPlacement: Sendable {
  public var timeBase: TimeBase?
  /// The position on the timeline.
  public var start: TimelinePosition?
  /// In flicks for an audio region, in ticks for a MIDI region.
  public var length: LengthExpression?
  public var offset: FlickCount?
  public var channels: ChannelSelection?
  public var fades = FadeChanges()
  /// A name or an id of the track to move it to.
  public var track: String?
  /// The take that it is made a part of; `.some(nil)`: of none.
  public var take: String??
  /// Whether a MIDI region that is shortened loses notes and events after its end; otherwise that is refused.
  public var cutsNotes = false

  public init() {}
}

/// A length that depends on the position where it begins and on the time base: "2.0.0" is two bars of the meter there.
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
  /// Adds a MIDI region; one second long by default.
  public func addMIDIRegion(
    to trackReference: String, _ change: Change<Region> = Change(), _ placement: RegionPlacement = RegionPlacement()
  ) throws -> Region {
    let map = try tempoMap()
    let track = try view.track(calledBy: trackReference)
    let start = map.ticks(at: placement.start ?? .musical(.zero))
    let length =
      try placement.length?.ticks(map, start) ?? map.ticks(at: map.flicks(at: start) + .seconds(1)) - start
    var region = Region(
      id: try newID(of: Region.self), track: track.id, start: .musical(start), content: .midi(length))
    region.name = try freeName(region.name, on: track.id)
    try set(change, on: &region)
    try apply(.add(region))
    note("Added MIDI region '\(region.name)' to track '\(track.name)'")
    return region
  }

  public func setRegion(
    _ reference: String, _ change: Change<Region>, _ placement: RegionPlacement = RegionPlacement()
  ) throws -> Region {
    let old = try view.region(calledBy: reference)
    let map = try tempoMap()
    var region = old
    try set(change, on: &region)
    if let track = placement.track { region.move(to: try view.track(calledBy: track).id) }
    if let take = placement.take {
      region.take = try take.map { try view.take(calledBy: $0).id }
      // What is a part of no take could not be put to use again.
      if region.take == nil { region.isInUse = true }
    }
    if let start = placement.start ?? (placement.timeBase.map { _ in old.start }) {
      region.start =
        (placement.timeBase ?? old.start.timeBase) == .musical
        ? .musical(map.ticks(at: start)) : .absolute(map.flicks(at: start))
    }
    switch region.content {
    case .midi(let length):
      try requireNoAudioOptions(placement, old)
      let newLength = try placement.length?.ticks(map, map.ticks(at: region.start)) ?? length
      if newLength < length, placement.cutsNotes { try cutNotes(of: old, at: newLength) }
      region.content = .midi(newLength)
    case .audio(var span):
      if let offset = placement.offset { span.offset = offset }
      if let length = placement.length { span.duration = try length.flicks(map, map.flicks(at: region.start)) }
      if let channels = placement.channels { span.channels = channels }
      region.content = .audio(span)
    }
    try apply(placement.fades, to: &region, in: map)
    try fadeCutEdges(of: &region, replacing: old, unless: placement.fades)
    let faded = try fadeExposedEdges(from: [old], to: [region], in: map)[0]
    if placement.fades.fadeIn.length == nil { region.fadeIn = faded.fadeIn }
    if placement.fades.fadeOut.length == nil { region.fadeOut = faded.fadeOut }
    if region != old { try apply(.set(region)) }
    note("Changed region '\(old.name)'")
    return region
  }

  /// Removes regions with their notes and events.
  public func removeRegions(_ references: [String]) throws -> [Region] {
    // All references are resolved before any region is removed: an ambiguous one must not become unique meanwhile.
    let whole = try references.completed(
      among: view.regionIDs, unless: { try !view.regions(named: $0).isEmpty })
    let regions = try whole.map(view.region(calledBy:)).uniqued
    _ = try fadeExposedEdges(from: regions, to: [], in: tempoMap())
    try apply(.remove(regions.map(\.id)))
    for region in regions { note("Removed region '\(region.name)'") }
    return regions
  }

  func set(_ change: Change<Region>, on region: inout Region) throws {
    guard region.regionType == .audio || change[\.gain] ?? .unity == .unity else {
      throw Failure(
        .invalid, code: Rule.gain.rawValue, "\(region.subject) holds notes, so it has no gain. Nothing was changed.",
        hint: "Set the track's volume, or the notes' velocities.")
    }
    change.apply(to: &region)
  }

  private func requireNoAudioOptions(_ placement: RegionPlacement, _ region: Region) throws {
    guard placement.offset == nil, placement.channels == nil, placement.timeBase != .absolute else {
      throw Failure(
        .invalid, code: Rule.regionType.rawValue,
        "\(region.subject) holds notes, so it has no offset, no channels and no absolute time base. Nothing was changed.",
        hint: "These belong to audio regions.")
    }
  }

  /// Removes the notes that start at or after a position in a region, and the events after it, and shortens the notes
  /// that cross it.
  private func cutNotes(of region: Region, at end: TickCount) throws {
    let notes = try view.notes(in: region.id)
    let gone = notes.filter { $0.start >= end }
    let crossing = notes.filter { $0.start < end && $0.end > end }.map { note in
      var note = note
      note.duration = end - note.start
      return note
    }
    if !gone.isEmpty { try apply(.remove(gone.map(\.id))) }
    if !crossing.isEmpty { try apply(.set(crossing)) }
    let events = try view.events(in: region.id).filter { $0.start > end }
    if !events.isEmpty { try apply(.remove(events.map(\.id))) }
  }
}
