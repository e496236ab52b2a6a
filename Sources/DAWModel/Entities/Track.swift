import DAWTime

/// What a track holds: audio regions, MIDI regions, or none, where it sums others.
public enum TrackType: String, CaseIterable, Sendable {
  case audio, midi, bus, master
}

/// When the input of an armed track is heard through `daw`.
public enum Monitor: String, CaseIterable, Sendable {
  case off
  /// Always.
  case input
  /// While the transport is stopped or records.
  case auto
}

/// A mixer channel, and the row of the timeline that feeds it.
public struct Track: Hashable, Sendable, Identifiable {
  public var id: TrackID
  /// Unique among the tracks of a project.
  public var name: Name
  public var orderKey: OrderKey
  public var trackType: TrackType
  /// 1 or 2; `nil` for an audio track that was given no width and has had no region. MIDI tracks, buses and the master:
  /// 2.
  public var channelCount: Int?
  public var color: Color
  public var volume: Level
  public var pan: Pan
  public var isMuted: Bool
  public var isSolo: Bool
  public var isRecordEnabled: Bool
  /// The JACK ports that an audio track records, as `CLIENT:PORT`; one for each of its channels.
  public var input1: String?
  public var input2: String?
  /// The port that a MIDI track records, as `CLIENT:PORT`.
  public var midiInput: String?
  public var monitor: Monitor
  /// Added to the place of what the track records: below 0, it is placed earlier.
  public var recordOffset: FrameCount
  /// The port that a MIDI track's output is connected to, as `CLIENT:PORT`; `nil` if the user connects it.
  public var midiOutput: String?
  /// `sum` unless it is an audio track.
  public var overlap: Overlap
  /// Before everything else of the strip: −24 … +24 dB.
  public var trim: Level
  /// Behind the trim.
  public var invertedSides: InvertedSides
  /// Of a stereo signal, behind the inversion: 0 is mono, 1 leaves it as it is, −1 swaps its sides; at most 2.
  public var stereoWidth: Double
  /// Whether it is heard while other tracks are soloed.
  public var isSoloSafe: Bool
  /// The bus that its output feeds; `nil`: the master. Of the master itself, and without an output: `nil`.
  public var outputBus: TrackID?
  /// Whether it has an output. Sends are heard without one.
  public var isOutputConnected: Bool

  public init(
    id: TrackID, name: Name = Name(literal: "Track"), orderKey: OrderKey, trackType: TrackType = .audio,
    channelCount: Int? = nil, color: Color = .blue, volume: Level = .unity, pan: Pan = .centre, isMuted: Bool = false,
    isSolo: Bool = false, isRecordEnabled: Bool = false, midiOutput: String? = nil, overlap: Overlap = .sum,
    trim: Level = .unity, invertedSides: InvertedSides = .none, stereoWidth: Double = 1, isSoloSafe: Bool = false,
    outputBus: TrackID? = nil, isOutputConnected: Bool = true, input1: String? = nil, input2: String? = nil,
    midiInput: String? = nil, monitor: Monitor = .auto, recordOffset: FrameCount = .zero
  ) {
    self.id = id
    self.name = name
    self.orderKey = orderKey
    self.trackType = trackType
    self.channelCount = channelCount ?? (trackType == .audio ? nil : 2)
    self.color = color
    self.volume = volume
    self.pan = pan
    self.isMuted = isMuted
    self.isSolo = isSolo
    self.isRecordEnabled = isRecordEnabled
    self.midiOutput = midiOutput
    self.overlap = overlap
    self.trim = trim
    self.invertedSides = invertedSides
    self.stereoWidth = stereoWidth
    self.isSoloSafe = isSoloSafe
    self.outputBus = outputBus
    self.isOutputConnected = isOutputConnected
    self.input1 = input1
    self.input2 = input2
    self.midiInput = midiInput
    self.monitor = monitor
    self.recordOffset = recordOffset
  }

  public static let acceptedTrim = -24.0...24.0
  public static let acceptedStereoWidth = -1.0...2.0
  public static let acceptedRecordOffset = FrameCount(frames: -192_000)...FrameCount(frames: 192_000)
}

extension Track: Entity {
  public static let kind = EntityKind.track
  public static let noun = "track"
  public static let table = "track"
  public static let collection: RowCollection<Track>? = \Project.tracks

  public static let fields: [Field<Track>] = [
    Field("name", \.name, rule: .name),
    Field("nameKey", rule: .nameKey) { $0.name.key },
    Field("orderKey", \.orderKey, rule: .orderKey),
    Field("trackType", \.trackType, rule: .trackType),
    Field("channelCount", \.channelCount, rule: .channelCount),
    Field("color", \.color, rule: .color),
    Field("volume", \.volume, rule: .volume),
    Field("pan", \.pan, rule: .pan),
    Field("isMuted", \.isMuted, rule: .flag),
    Field("isSolo", \.isSolo, rule: .flag),
    Field("isRecordEnabled", \.isRecordEnabled, rule: .flag),
    Field("midiOutput", \.midiOutput, rule: .midiOutput),
    Field("overlap", \.overlap, rule: .overlap),
    Field("trim", \.trim, rule: .trim),
    Field("invertedSides", \.invertedSides, rule: .invertedSides),
    Field("stereoWidth", \.stereoWidth, rule: .stereoWidth),
    Field("isSoloSafe", \.isSoloSafe, rule: .flag),
    Field("outputBus", \.outputBus, rule: .output, as: { NamedDefault(value: $0, name: "master") }),
    Field("isOutputConnected", \.isOutputConnected, rule: .flag),
    Field("input1", \.input1, rule: .audioInput),
    Field("input2", \.input2, rule: .audioInput),
    Field("midiInput", \.midiInput, rule: .midiInput),
    Field("monitor", \.monitor, rule: .monitor),
    Field("recordOffset", \.recordOffset, rule: .recordOffset),
  ]

  public init(blank id: TrackID) {
    self.init(id: id, orderKey: OrderKey(unchecked: ""))
  }

  /// What messages call the row.
  public var subject: String { "track '\(name)'" }

  /// Checks the rules that concern only this row.
  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try requireID()
    try name.validate()
    try require(color.isAccepted, .color, "the colour '\(color)'", of: subject)
    switch (trackType, channelCount) {
    case (.audio, nil), (.audio, 1), (_, 2): break
    default:
      throw RuleViolation(
        .channelCount, value: "a width of \(channelCount.map { "\($0) channels" } ?? "no channels")", subject: subject)
    }
    try require(volume.isAccepted, .volume, "a volume of \(volume)", of: subject)
    try require(Pan.accepted.contains(pan.position), .pan, "a pan of \(pan)", of: subject)
    try require(
      (trackType == .master) == (orderKey == .master), .masterIsLast, "the place '\(orderKey.digits)'", of: subject)
    try require(OrderKey(orderKey.digits) != nil, .orderKey, "the key '\(orderKey.digits)'", of: subject)
    try require(
      overlap == .sum || trackType == .audio, .overlap, "crossfades on a track of type \(trackType.rawValue)",
      of: subject)
    try require(Self.acceptedTrim.contains(trim.decibels), .trim, "a trim of \(trim)", of: subject)
    try require(
      Self.acceptedStereoWidth.contains(stereoWidth), .stereoWidth, "a stereo width of \(formatDecimal(stereoWidth))",
      of: subject)
    try validatePorts()
    try require(
      Self.acceptedRecordOffset.contains(recordOffset), .recordOffset,
      "a record offset of \(recordOffset.frames) frames", of: subject)
    try validateOutput()
  }

  public func validate(in tables: some ModelTables, replacing old: Track?) throws {
    if let old {
      if trackType != old.trackType {
        try require(
          trackType != .master && old.trackType != .master, .masterStays,
          "a change of type from \(old.trackType.rawValue) to \(trackType.rawValue)", of: old.subject)
        try require(
          try tables.firstID(of: Region.self, where: "track", is: id) == nil, .trackTypeStays,
          "a change of type to \(trackType.rawValue)", of: old.subject)
        try require(
          try trackType == .midi || tables.row(InstrumentID(of: id)) == nil, .instrument,
          "an instrument on a track of type \(trackType.rawValue)", of: old.subject)
      }
      if trackType != old.trackType, old.trackType == .bus {
        try requireUnfed(tables, "a change of type to \(trackType.rawValue) while it is fed", of: old.subject)
      }
      if channelCount == 1, old.channelCount != 1, let region = try tables.stereoRegion(of: id) {
        throw RuleViolation(
          .channelsFitTrack, value: "a width of 1 over the stereo \(region.subject)", subject: old.subject)
      }
    } else {
      try require(trackType != .master, .masterIsOne, "a second master track", of: subject)
    }
    if let other = try tables.firstID(of: Track.self, where: "nameKey", is: name.key, besides: id), other != id {
      throw RuleViolation(.trackNameIsUnique, value: "the name '\(name)', which another track has")
    }
    if let outputBus, outputBus != old?.outputBus {
      let bus = try tables.require(outputBus)
      try require(bus.trackType == .bus, .output, "the \(bus.subject) as output, which is no bus", of: subject)
    }
  }

  public static func validate(_ rows: [Track], in tables: some ModelTables, areNew: Bool) throws {
    var rerouted: [Track] = []
    for row in rows {
      let old = areNew ? nil : try tables.require(row.id)
      try row.validate()
      try row.validate(in: tables, replacing: old)
      if let old, row.outputBus != nil, row.outputBus != old.outputBus { rerouted.append(row) }
    }
    // What is new feeds only what was there before, so that it closes no cycle.
    if !rerouted.isEmpty { try tables.requireNoCycle(tracks: rerouted) }
  }

  public static let isRemovalRestricted = true

  public func validateRemoval(from tables: some ModelTables) throws {
    try require(trackType != .master, .masterStays, "removing the master track", of: subject)
    if trackType == .bus { try requireUnfed(tables, "the removal of a bus that is fed", of: subject) }
  }

  /// In characters: of ALSA's and JACK's names.
  private static let maximumMIDIPortLength = 255
  private static let maximumAudioPortLength = 320

  private func validateOutput() throws(RuleViolation) {
    try require(
      trackType != .master || (outputBus == nil && isOutputConnected), .output, "another output of the master",
      of: subject)
    try require(outputBus == nil || isOutputConnected, .output, "a bus where there is no output", of: subject)
    try require(outputBus != id, .output, "its own input as output", of: subject)
  }

  private func validatePorts() throws(RuleViolation) {
    try requirePort(midiOutput, .midi, Self.maximumMIDIPortLength, .midiOutput, "output")
    try requirePort(midiInput, .midi, Self.maximumMIDIPortLength, .midiInput, "input")
    for input in [input1, input2] {
      try requirePort(input, .audio, Self.maximumAudioPortLength, .audioInput, "input")
    }
    guard let input2 else { return }
    try require(input1 != nil, .audioInput, "only a second input, '\(input2)'", of: subject)
    try require(channelCount != 1, .audioInput, "a second input of a mono track, '\(input2)'", of: subject)
  }

  private func requirePort(
    _ port: String?, _ type: TrackType, _ maximumLength: Int, _ rule: Rule, _ noun: String
  ) throws(RuleViolation) {
    guard let port else { return }
    let scalars = port.unicodeScalars
    let colon = scalars.dropFirst().firstIndex(of: ":")
    try require(
      trackType == type && scalars.count <= maximumLength
        && colon.map { scalars.index(after: $0) != scalars.endIndex } == true
        && !scalars.contains { $0.properties.generalCategory == .control },
      rule, "the \(noun) '\(port)'", of: subject)
  }
}
