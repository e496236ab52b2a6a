import DAWEngine
import DAWMedia
import DAWModel
import DAWTime

@testable import DAWCompiler

/// A project built in memory, with media that need not exist.
struct Song {
  var settings = ProjectSettings()
  var tracks = [
    Track(id: TrackID(rawValue: 1_000), name: Name(literal: "Master"), orderKey: .master, trackType: .master)
  ]
  var instruments: [TrackID: Instrument] = [:]
  var regions: [Region] = []
  var notes: [RegionID: [MIDINote]] = [:]
  var events: [RegionID: [RegionEvent]] = [:]
  var sends: [Send] = []
  var groups: [TrackGroup] = []
  var groupMembers: [GroupMember] = []
  var lanes: [Lane] = []
  var lanePoints: [LaneID: [LanePoint]] = [:]
  var effects: [Effect] = []
  var effectSettings: [EffectSetting] = []
  var media = MediaTable()

  static let soundFont = SoundFontID(rawValue: 1)

  init() {
    media.soundFonts[Self.soundFont] = PreparedSoundFont(path: "/fonts/gm.sf2", sha256: "f")
    for (number, channelCount) in [(1, 1), (2, 2), (6, 6)] {
      media.audioFiles[AudioFileID(rawValue: Int64(number))] = AudioSource(
        path: "/music/\(number).wav", sha256: "\(number)", frameCount: 480_000, channelCount: channelCount,
        content: .plain(PCMLayout(dataOffset: 44, encoding: .int24, channelCount: channelCount)))
    }
  }

  /// Track ids count from 1, in the order of addition.
  mutating func addTrack(
    _ type: TrackType = .audio, channels: Int? = nil, volume: Double = 0, pan: Double = 0, isMuted: Bool = false,
    isSolo: Bool = false
  ) -> TrackID {
    let id = TrackID(rawValue: Int64(tracks.count))
    tracks.append(
      Track(
        id: id, name: Name(unchecked: "Track \(id.rawValue)"), orderKey: OrderKey(unchecked: "\(id.rawValue)V"),
        trackType: type, channelCount: channels, volume: Level(decibels: volume), pan: Pan(position: pan),
        isMuted: isMuted, isSolo: isSolo))
    if type == .midi {
      instruments[id] = Instrument(of: id, soundFont: Self.soundFont, gainReference: .fluidSynth)
    }
    return id
  }

  /// Ids of sends count from 1, in the order of addition.
  mutating func addSend(
    _ track: TrackID, to bus: TrackID, level: Double = 0, pan: Double? = nil, isPreFader: Bool = false,
    isMuted: Bool = false
  ) {
    sends.append(
      Send(
        id: SendID(rawValue: Int64(sends.count + 1)), from: track, to: bus, level: Level(decibels: level),
        pan: pan.map(Pan.init(position:)), isPreFader: isPreFader, isMuted: isMuted))
  }

  mutating func addGroup(_ tracks: [TrackID], volume: Double = 0, isMuted: Bool = false, isSolo: Bool = false) {
    let id = TrackGroupID(rawValue: Int64(groups.count + 1))
    groups.append(
      TrackGroup(
        id: id, name: Name(unchecked: "Group \(id.rawValue)"), volume: Level(decibels: volume), isMuted: isMuted,
        isSolo: isSolo))
    for track in tracks {
      groupMembers.append(
        GroupMember(id: GroupMemberID(rawValue: Int64(groupMembers.count + 1)), of: id, track: track))
    }
  }

  /// Each point is its position in ticks or flicks, its value and its shape.
  mutating func addLane(
    _ parameter: String, of owner: Lane.Owner, in timeBase: TimeBase = .absolute,
    _ points: [(Int64, Double, LaneShape)]
  ) {
    let id = LaneID(rawValue: Int64(lanes.count + 1))
    lanes.append(Lane(id: id, of: owner, parameter: parameter, timeBase: timeBase))
    lanePoints[id] = points.enumerated().map { index, point in
      LanePoint(
        id: LanePointID(rawValue: Int64(index + 1)), lane: id, position: point.0, value: point.1, shape: point.2)
    }
  }

  /// Ids of effects count from 1, in the order of addition.
  @discardableResult
  mutating func addEffect(
    _ kind: DAWModel.EffectKind, on track: TrackID, _ settings: [String: Double] = [:], isPostFader: Bool = false,
    key: TrackID? = nil, _ change: (inout Effect) -> Void = { _ in }
  ) -> EffectID {
    let number = Int64(effects.count + 1)
    var effect = Effect(
      id: EffectID(rawValue: number), on: track, kind, number: Int(number), isPostFader: isPostFader,
      orderKey: OrderKey(unchecked: "\(number)V"), key: key)
    change(&effect)
    effects.append(effect)
    for (parameter, value) in settings.sorted(by: { $0.key < $1.key }) {
      effectSettings.append(
        EffectSetting(
          id: EffectSettingID(rawValue: Int64(effectSettings.count + 1)), of: effect.id, parameter: parameter,
          value: value))
    }
    return effect.id
  }

  /// Positions and lengths in flicks; the file is chosen by its number of channels.
  mutating func addRegion(
    _ track: TrackID, start: Int64 = 0, offset: Int64 = 0, duration: Int64 = FlickCount.perSecond, file: Int64 = 1,
    channels: ChannelSelection = .all, gain: Double = 0, isMuted: Bool = false
  ) {
    let span = AudioSpan(
      file: AudioFileID(rawValue: file), offset: FlickCount(flicks: offset), duration: FlickCount(flicks: duration),
      channels: channels)
    regions.append(
      Region(
        id: RegionID(rawValue: Int64(regions.count + 1)), track: track,
        start: .absolute(FlickPosition(flicks: start)), content: .audio(span), gain: Level(decibels: gain),
        isMuted: isMuted))
  }

  /// Positions and lengths in ticks; each note is pitch, start, duration, velocity.
  mutating func addNotes(_ track: TrackID, start: Int64 = 0, _ rows: [(Int, Int64, Int64, Int)]) {
    let id = RegionID(rawValue: Int64(regions.count + 1))
    regions.append(
      Region(
        id: id, track: track, start: .musical(TickPosition(ticks: start)), content: .midi(TickCount(ticks: 1 << 30))))
    notes[id] = rows.enumerated().map { index, row in
      MIDINote(
        id: NoteID(rawValue: Int64(index + 1)), region: id, pitch: row.0, velocity: row.3,
        start: TickCount(ticks: row.1), duration: TickCount(ticks: row.2))
    }
  }

  /// Each event is its position in ticks and its message, on the third channel.
  mutating func addEvents(_ region: RegionID, _ rows: [(Int64, RegionEvent.Message)]) {
    events[region] = rows.enumerated().map { index, row in
      RegionEvent(
        id: EventID(rawValue: Int64(index + 1)), region: region, start: TickCount(ticks: row.0),
        channel: row.1.kind.hasChannel ? 2 : 0, message: row.1)
    }
  }

  var project: Project {
    get throws {
      guard let id = ProjectID(uuidString: "6ba7b810-9dad-41d1-80b4-00c04fd430c8") else {
        throw CompileError.sampleRate(0)
      }
      var project = Project(id: id, createdDate: Timestamp(milliseconds: 0), settings: settings)
      project.revision = 1
      project.replace(with: tracks)
      project.replace(with: Array(instruments.values))
      project.replace(with: regions)
      project.replace(with: effects)
      project.replace(with: effectSettings)
      project.replace(with: sends)
      project.replace(with: groups)
      project.replace(with: groupMembers)
      project.replace(with: lanes)
      project.lanePoints = lanePoints
      (project.notes, project.events) = (notes, events)
      return project
    }
  }

  func plan(_ options: CompileOptions = CompileOptions()) throws -> RenderPlan {
    try compile(project, media: media, options: options).plan
  }
}

extension RenderPlan {
  /// Each step in short: `2` fills strip 2, `2>9` mixes it into 9, `2>9/1` by send 1, `~2` shapes, `=9` clears it,
  /// `2*7` runs the effect 7 on it, `<2>` makes it stereo, `2>9k7` adds it to what effect 7 listens to, `2p` is behind
  /// its fader.
  var outline: [String] {
    func name(_ strip: StripID) -> String {
      switch strip.part {
      case .main: "\(strip.trackID)"
      case .postFader: "\(strip.trackID)p"
      case .directOut: "\(strip.trackID)d"
      case .key(let effect): "\(strip.trackID)k\(effect)"
      }
    }
    return steps.map { step in
      switch step {
      case .clear(let strip, _): "=" + name(strip)
      case .sumRegions(let strip, _, _, _), .playInstrument(let strip, _, _): name(strip)
      case .monitor(let strip, let monitoring, _, _): name(strip) + "?\(monitoring)"
      case .shape(let strip, _, _, _): "~" + name(strip)
      case .mix(let connection, _, _, _, _, _):
        switch connection.kind {
        case .output: name(connection.source) + ">" + name(connection.target)
        case .send(let id): name(connection.source) + ">" + name(connection.target) + "/\(id)"
        case .key: name(connection.source) + ">" + name(connection.target)
        }
      case .widen(let strip, _, _): "<" + name(strip) + ">"
      case .insert(let strip, let index, _, _, _): name(strip) + "*\(inserts[index].effectID)"
      case .delay: "delay"
      case .output: "out"
      }
    }
  }

  /// Both coefficients of every mix step, in order.
  var mixCoefficients: [[Float]] {
    steps.compactMap { step in
      guard case .mix(_, _, _, _, .constant(let left), .constant(let right)) = step else { return nil }
      return [left, right]
    }
  }

  var masterGains: [Float] {
    guard case .output(_, _, .constant(let left), .constant(let right))? = steps.last else { return [] }
    return [left, right]
  }
}
