import DAWErrors
import DAWModel
import DAWStore

/// A partial update of a track; `nil` keeps the field, or its default for a new track.
public struct TrackChange: Sendable {
  public var name: String?
  public var type: TrackType?
  public var channelCount: Int?
  /// The place among the tracks, from 1.
  public var place: Int?
  public var volume: Level?
  public var pan: Pan?
  public var isMuted: Bool?
  public var isSolo: Bool?
  public var isRecordEnabled: Bool?
  public var color: Color?
  /// For MIDI tracks only.
  public var instrument = InstrumentChange()
  public var soundFont: SoundFontChoice?
  /// The port, `CLIENT:PORT`, that a MIDI track's output is connected to; `.some(nil)` for none.
  public var midiOutput: String??

  public init() {}

  public var bank: Int? {
    get { instrument.bank }
    set { instrument.bank = newValue }
  }
  public var program: Int? {
    get { instrument.program }
    set { instrument.program = newValue }
  }

  func apply(to track: inout Track) throws {
    if let name { track.name = try Name(name) }
    if let channelCount { track.channelCount = channelCount }
    if let volume { track.volume = volume }
    if let pan { track.pan = pan }
    if let isMuted { track.isMuted = isMuted }
    if let isSolo { track.isSolo = isSolo }
    if let isRecordEnabled { track.isRecordEnabled = isRecordEnabled }
    if let color { track.color = color }
    if let midiOutput { track.midiOutput = midiOutput }
  }

  fileprivate var concernsInstrument: Bool { instrument != InstrumentChange() || soundFont != nil }
}

extension Editor {
  /// Adds a track; refuses a name that is in use.
  public func addTrack(named name: String, _ change: TrackChange) throws -> Track {
    let type = change.type ?? .audio
    guard type != .master else {
      throw EditError.rule(RuleViolation(.masterIsOne, value: "a second master track", subject: "track '\(name)'"))
    }
    var track = Track(
      id: try newID(of: Track.self), name: try Name(name), orderKey: try orderKey(forPlace: change.place, moving: nil),
      trackType: type)
    try change.apply(to: &track)
    try requireMIDI(track, for: change)
    try apply(.add(track))
    if type == .midi { try addInstrument(to: track, change) }
    note("Added \(track.trackType.rawValue) track '\(track.name)'")
    return track
  }

  public func setTrack(_ reference: String, _ change: TrackChange) throws -> Track {
    let old = try view.track(calledBy: reference)
    var track = old
    if let type = change.type, type != old.trackType {
      guard old.trackType != .master else {
        throw RuleViolation(.masterStays, value: "another type", subject: old.subject)
      }
      track.trackType = type
      track.channelCount = type == .audio ? change.channelCount : 2
      if type != .midi { track.midiOutput = nil }
    }
    try change.apply(to: &track)
    try requireMIDI(track, for: change)
    if let place = change.place { track.orderKey = try orderKey(forPlace: place, moving: old) }
    let instrument = try view.instrument(of: track.id)
    if let instrument, track.trackType != .midi { try apply(.remove(instrument.id)) }
    if track != old { try apply(.set(track)) }
    if track.trackType == .midi {
      if let instrument { try set(instrument, change) } else { try addInstrument(to: track, change) }
    }
    note("Changed track '\(old.name)'")
    return track
  }

  private func requireMIDI(_ track: Track, for change: TrackChange) throws {
    guard change.concernsInstrument, track.trackType != .midi else { return }
    throw RuleViolation(
      .instrument, value: "an instrument on a track of type \(track.trackType.rawValue)", subject: track.subject)
  }

  private func addInstrument(to track: Track, _ change: TrackChange) throws {
    let named = try change.soundFont.map(soundFont(chosenBy:))
    var instrument = Instrument(of: track.id, soundFont: try named ?? defaultSoundFont())
    change.instrument.apply(to: &instrument)
    try apply(.add(instrument))
  }

  private func set(_ old: Instrument, _ change: TrackChange) throws {
    var instrument = old
    if let choice = change.soundFont { instrument.soundFont = try soundFont(chosenBy: choice) }
    change.instrument.apply(to: &instrument)
    if instrument != old { try apply(.set(instrument)) }
  }

  /// - Parameter place: among the tracks, from 1.
  public func moveTrack(_ reference: String, to place: Int) throws -> Track {
    var change = TrackChange()
    change.place = place
    return try setTrack(reference, change)
  }

  /// Removes a track with its regions and their notes and events.
  public func removeTrack(_ reference: String) throws -> Track {
    let track = try view.track(calledBy: reference)
    try apply(.remove(track.id))
    note("Removed track '\(track.name)'")
    return track
  }

  /// The order key for a place among the tracks. The master stays last.
  private func orderKey(forPlace place: Int?, moving track: Track?) throws -> OrderKey {
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
