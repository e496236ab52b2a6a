import DAWErrors
import DAWModel
import DAWStore

/// What changes of a track beside its own fields; `nil` keeps it, or is the default of a new track.
public struct TrackSetup: Sendable {
  public var type: TrackType?
  /// The place among the tracks, from 1.
  public var place: Int?
  /// For MIDI tracks only, as the SoundFont.
  public var instrument = Change<Instrument>()
  public var soundFont: SoundFontChoice?
  /// What its output feeds: a bus or the master, by name or id, or `none`.
  public var output: String?

  public init() {}

  fileprivate var concernsInstrument: Bool { !instrument.isEmpty || soundFont != nil }
}

extension Editor {
  /// Adds a track; refuses a name that is in use.
  public func addTrack(
    named name: String, _ change: Change<Track> = Change(), _ setup: TrackSetup = TrackSetup()
  ) throws -> Track {
    let type = setup.type ?? .audio
    guard type != .master else {
      throw EditError.rule(RuleViolation(.masterIsOne, value: "a second master track", subject: "track '\(name)'"))
    }
    var track = Track(
      id: try newID(of: Track.self), name: try Name(ofItem: name),
      orderKey: try orderKey(forPlace: setup.place, moving: nil),
      trackType: type)
    change.apply(to: &track)
    try requireUse(of: change, on: track)
    if let output = setup.output { try connect(&track, to: output) }
    try requireMIDI(track, for: setup)
    try apply(.add(track))
    if type == .midi { try addInstrument(to: track, setup) }
    note("Added \(track.trackType.rawValue) track '\(track.name)'")
    return track
  }

  public func setTrack(
    _ reference: String, _ change: Change<Track>, _ setup: TrackSetup = TrackSetup()
  ) throws -> Track {
    let old = try view.track(calledBy: reference)
    var track = old
    if let type = setup.type, type != old.trackType {
      guard old.trackType != .master else {
        throw RuleViolation(.masterStays, value: "another type", subject: old.subject)
      }
      track.trackType = type
      track.channelCount = type == .audio ? change[\.channelCount] ?? nil : 2
      if type != .midi { (track.midiOutput, track.midiInput) = (nil, nil) }
      if type != .audio { (track.input1, track.input2) = (nil, nil) }
      if type == .bus { track.isRecordEnabled = false }
    }
    change.apply(to: &track)
    try requireUse(of: change, on: track)
    if let output = setup.output { try connect(&track, to: output) }
    try requireMIDI(track, for: setup)
    if let place = setup.place { track.orderKey = try orderKey(forPlace: place, moving: old) }
    let instrument = try view.instrument(of: track.id)
    if let instrument, track.trackType != .midi { try apply(.remove(instrument.id)) }
    if track != old { try apply(.set(track)) }
    if track.trackType == .midi {
      if let instrument { try set(instrument, setup) } else { try addInstrument(to: track, setup) }
    }
    note("Changed track '\(old.name)'")
    return track
  }

  /// Refuses to switch on what would do nothing on a track of this type.
  private func requireUse(of change: Change<Track>, on track: Track) throws {
    if change[\.isRecordEnabled] == true, track.trackType == .bus || track.trackType == .master {
      throw Failure(
        .invalid, code: "settingHasNoUse",
        "A track of type \(track.trackType.rawValue) has no input and cannot be armed. Nothing was changed.",
        hint: "Audio and MIDI tracks can. 'daw bounce' writes what a bus or the master sounds like.")
    }
    if track.trackType == .master, change[\.isSolo] == true || change[\.isSoloSafe] == true {
      throw Failure(
        .invalid, code: "settingHasNoUse", "The master is heard under any solo. Nothing was changed.",
        hint: "Solo is for the other tracks, and for groups.")
    }
  }

  private func requireMIDI(_ track: Track, for setup: TrackSetup) throws {
    guard setup.concernsInstrument, track.trackType != .midi else { return }
    throw RuleViolation(
      .instrument, value: "an instrument on a track of type \(track.trackType.rawValue)", subject: track.subject)
  }

  private func addInstrument(to track: Track, _ setup: TrackSetup) throws {
    let named = try setup.soundFont.map(soundFont(chosenBy:))
    var instrument = Instrument(of: track.id, soundFont: try named ?? defaultSoundFont())
    setup.instrument.apply(to: &instrument)
    try apply(.add(instrument))
  }

  private func set(_ old: Instrument, _ setup: TrackSetup) throws {
    var instrument = old
    if let choice = setup.soundFont { instrument.soundFont = try soundFont(chosenBy: choice) }
    setup.instrument.apply(to: &instrument)
    if instrument != old { try apply(.set(instrument)) }
  }

  /// - Parameter place: among the tracks, from 1.
  public func moveTrack(_ reference: String, to place: Int) throws -> Track {
    var setup = TrackSetup()
    setup.place = place
    return try setTrack(reference, Change(), setup)
  }

  /// Removes a track with its regions and their notes and events, and with its sends.
  /// - Parameter reroutes: whether what feeds a bus gets the bus's own output, and sends to it are removed; else a bus
  ///   that is fed is refused.
  /// - Returns: the track, how many outputs were given another target and how many sends to it were removed, and the
  ///   names of the effects that it was the key of, which have none now.
  public func removeTrack(
    _ reference: String, reroutes: Bool = false
  ) throws -> (track: Track, outputs: Int, sends: Int, keyed: [String]) {
    let track = try view.track(calledBy: reference)
    let (outputs, sends) = reroutes ? try reroute(feedersOf: track) : (0, 0)
    let keyed = try effectNames(keyedBy: track.id)
    try apply(.remove(track.id))
    note("Removed track '\(track.name)'")
    return (track, outputs, sends, keyed)
  }

  /// The order key for a place among the tracks. The master stays last.
  func orderKey(forPlace place: Int?, moving track: Track?) throws -> OrderKey {
    if let track, track.trackType == .master {
      throw RuleViolation(.masterIsLast, value: "another place", subject: track.subject)
    }
    let count = try view.trackCount(besides: track?.id)
    let place = place ?? count + 1
    guard (1...count + 1).contains(place) else {
      throw Failure(
        .invalid, code: "invalidTrackPosition", "There is no place \(place) among the tracks. Nothing was changed.",
        hint: "Places go from 1 to \(count + 1).")
    }
    // The neighbours: the last track before the place, and the first one after it.
    let lower = place > 1 ? try view.orderKeys(place - 2..<place - 1, besides: track?.id).first : nil
    let upper = place <= count ? try view.orderKeys(place - 1..<place, besides: track?.id).first : nil
    let key = OrderKey.between(lower, upper)
    guard key.digits.utf8.count > Self.maximumKeyLength else { return key }
    return try respacedKey(
      forPlace: place, among: view.tracks().filter { $0.trackType != .master && $0.id != track?.id })
  }

  /// Keys grow when tracks are inserted at one place repeatedly. All keys are reassigned before they exceed this
  /// length.
  private static let maximumKeyLength = 100

  private func respacedKey(forPlace place: Int, among others: [Track]) throws -> OrderKey {
    var last: OrderKey?
    var result = OrderKey.between(nil, nil)
    for index in 0...others.count {
      let key = OrderKey.between(last, nil)
      last = key
      if index == place - 1 { result = key }
      let other = index < place - 1 ? index : index - 1
      guard index != place - 1, others.indices.contains(other) else { continue }
      var track = others[other]
      track.orderKey = key
      try apply(.set(track))
    }
    return result
  }
}
