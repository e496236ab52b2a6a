import DAWErrors
import DAWModel
import DAWStore

/// What somebody said of a track; what was not said stays as it is, or takes its default.
public struct TrackChange: Sendable {
  public var name: String?
  public var type: TrackType?
  public var channelCount: Int?
  /// Among the tracks, from 1.
  public var place: Int?
  public var volume: Level?
  public var pan: Pan?
  public var isMuted: Bool?
  public var isSolo: Bool?
  public var isRecordEnabled: Bool?
  public var color: Color?
  /// Of a MIDI track.
  public var instrument = InstrumentChange()
  public var soundFont: SoundFontChoice?
  /// Where a MIDI track is sent to, `CLIENT:PORT`; `.some(nil)` for nowhere.
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

  func apply(to track: inout Track, soundFont: SoundFontID?) throws {
    if let name { track.name = try Name(name) }
    if let channelCount { track.channelCount = channelCount }
    if let volume { track.volume = volume }
    if let pan { track.pan = pan }
    if let isMuted { track.isMuted = isMuted }
    if let isSolo { track.isSolo = isSolo }
    if let isRecordEnabled { track.isRecordEnabled = isRecordEnabled }
    if let color { track.color = color }
    if let midiOutput { track.midiOutput = midiOutput }
    if instrument != InstrumentChange() || soundFont != nil {
      guard var sound = track.instrument else {
        throw RuleViolation(
          .instrument, value: "an instrument on a track of type \(track.trackType.rawValue)", subject: track.subject)
      }
      instrument.apply(to: &sound)
      if let soundFont { sound.soundFont = soundFont }
      track.instrument = sound
    }
  }
}

extension Editor {
  /// Adds a track; a name that is taken is refused.
  public func addTrack(named name: String, _ change: TrackChange) throws -> Track {
    let type = change.type ?? .audio
    guard type != .master else {
      throw EditError.rule(RuleViolation(.masterIsOne, value: "a second master track", subject: "track '\(name)'"))
    }
    var track = Track(
      id: try newTrackID(), name: try Name(name), orderKey: try orderKey(forPlace: change.place, moving: nil),
      trackType: type)
    let named = try change.soundFont.map(soundFont(chosenBy:))
    if type == .midi { track.instrument = Instrument(soundFont: try named ?? defaultSoundFont()) }
    try change.apply(to: &track, soundFont: named)
    try apply(.addTrack(track))
    note("Added \(track.trackType.rawValue) track '\(track.name)'")
    return track
  }

  public func setTrack(_ reference: String, _ change: TrackChange) throws -> Track {
    let old = try view.track(calledBy: reference)
    var track = old
    let named = try change.soundFont.map(soundFont(chosenBy:))
    if let type = change.type, type != old.trackType {
      guard old.trackType != .master else {
        throw RuleViolation(.masterStays, value: "another type", subject: old.subject)
      }
      track.trackType = type
      track.instrument = type == .midi ? Instrument(soundFont: try named ?? defaultSoundFont()) : nil
      track.channelCount = type == .audio ? change.channelCount : 2
      if type != .midi { track.midiOutput = nil }
    }
    try change.apply(to: &track, soundFont: named)
    if let place = change.place { track.orderKey = try orderKey(forPlace: place, moving: old) }
    if track != old { try apply(.setTrack(track)) }
    note("Changed track '\(old.name)'")
    return track
  }

  /// - Parameter place: among the tracks, from 1.
  public func moveTrack(_ reference: String, to place: Int) throws -> Track {
    var change = TrackChange()
    change.place = place
    return try setTrack(reference, change)
  }

  /// With its regions and their notes.
  public func removeTrack(_ reference: String) throws -> Track {
    let track = try view.track(calledBy: reference)
    try apply(.removeTrack(track.id))
    note("Removed track '\(track.name)'")
    return track
  }

  /// The key that puts a track at a place among the others. The master stays last.
  private func orderKey(forPlace place: Int?, moving track: Track?) throws -> OrderKey {
    if let track, track.trackType == .master {
      throw RuleViolation(.masterIsLast, value: "another place", subject: track.subject)
    }
    let count = try view.trackCount(besides: track?.id)
    let place = place ?? count + 1
    guard (1...count + 1).contains(place) else {
      throw Failure(
        .invalid, code: "place", "There is no place \(place) among the tracks. Nothing was changed.",
        hint: "Places go from 1 to \(count + 1).")
    }
    // The neighbours: the last of those before, and the first of those behind.
    let lower = place > 1 ? try view.orderKeys(place - 2..<place - 1, besides: track?.id).first : nil
    let upper = place <= count ? try view.orderKeys(place - 1..<place, besides: track?.id).first : nil
    let key = OrderKey.between(lower, upper)
    guard key.digits.utf8.count > Self.longestKey else { return key }
    return try respacedKey(
      forPlace: place, among: view.tracks().filter { $0.trackType != .master && $0.id != track?.id })
  }

  /// Keys that grew by many insertions at one place are made short again before they are too long.
  private static let longestKey = 100

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
      try apply(.setTrack(track))
    }
    return result
  }
}
