import DAWCompiler
import DAWEngine
import DAWMedia
import DAWModel
import DAWTime

/// The plan of a mix with effects and automation: 64 strips, each with an equalizer, a compressor, and lanes of its
/// volume and its pan, and a send to each of four buses, two of them reverbs; a limiter on the master.
/// `Reference/mixer.h` does the same, and `jobs.py` writes it as a project; the values are theirs.
struct MixerProject {
  private static let busCount = 4
  private static let framesPerPoint = 1_600
  private static let flicksPerFrame = FlickCount.perSecond / Int64(rate)
  /// Of a region, in dB: the files are as loud as can be, and what is compared stays below the limiter's ceiling.
  private static let gain = -24.0
  private static let master = TrackID(rawValue: 1)

  private var tracks = [Track(id: master, orderKey: .master, trackType: .master)]
  private var regions: [Region] = []
  private var effects: [Effect] = []
  private var settings: [EffectSetting] = []
  private var sends: [Send] = []
  private var lanes: [Lane] = []
  private var points: [LaneID: [LanePoint]] = [:]
  private let frames: Int

  private init(frames: Int) {
    self.frames = frames
    add(.limiter, on: Self.master)
    for bus in 0..<Self.busCount {
      add(track: bus, .bus)
      if bus < 2 { add(.reverb, on: Self.track(bus), ["mix": 1, "preDelay": 10]) }
    }
    for strip in 0..<trackCount { addStrip(strip) }
  }

  /// - Parameter paths: files of 24 bits without a header.
  static func plan(_ paths: [String], frames: Int) throws -> RenderPlan {
    let mix = MixerProject(frames: frames)
    var project = Project(id: .random(), createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings())
    project.settings.sampleRate = SampleRate(hertz: rate)
    project.replace(with: mix.tracks)
    project.replace(with: mix.regions)
    project.replace(with: mix.effects)
    project.replace(with: mix.settings)
    project.replace(with: mix.sends)
    project.replace(with: mix.lanes)
    project.lanePoints = mix.points
    let layout = PCMLayout(dataOffset: 0, encoding: .int24, channelCount: 1)
    let files = paths.enumerated().map { number, path in
      let source = AudioSource(
        path: path, sha256: path, frameCount: Int64(frames), channelCount: 1, content: .plain(layout))
      return (AudioFileID(rawValue: Int64(number + 1)), source)
    }
    let media = MediaTable(audioFiles: Dictionary(uniqueKeysWithValues: files), soundFonts: [:])
    return try compile(project, media: media).plan
  }

  private static func track(_ number: Int) -> TrackID { TrackID(rawValue: Int64(number + 2)) }

  private mutating func add(track number: Int, _ type: TrackType) {
    tracks.append(
      Track(
        id: Self.track(number), name: Name(unchecked: "T\(number)"), orderKey: OrderKey(unchecked: "\(number)V"),
        trackType: type))
  }

  private mutating func addStrip(_ strip: Int) {
    let number = Self.busCount + strip
    let id = Self.track(number)
    add(track: number, .audio)
    regions.append(
      Region(
        id: RegionID(rawValue: Int64(strip + 1)), track: id, start: .musical(.zero),
        content: .audio(
          AudioSpan(
            file: AudioFileID(rawValue: Int64(strip + 1)),
            duration: FlickCount(flicks: Int64(frames) * Self.flicksPerFrame))),
        gain: Level(decibels: Self.gain)))
    var bells: [String: Double] = [:]
    for band in 1...4 {
      bells["band\(band).type"] = Self.bell
      bells["band\(band).gain"] = 3
    }
    add(.eq, on: id, bells)
    add(.compressor, on: id)
    for bus in 0..<Self.busCount {
      sends.append(
        Send(
          id: SendID(rawValue: Int64(sends.count + 1)), from: id, to: Self.track(bus),
          level: Level(decibels: Double(-12 - (strip + bus) % 5))))
    }
    addLane("volume", of: id) { Double(-20 - ($0 * 7 + strip * 3) % 11) }
    addLane("pan", of: id) { Double(($0 * 3 + strip) % 9 - 4) / 4 }
  }

  /// How a setting says that a band is a bell.
  private static var bell: Double {
    guard let value = DAWModel.EffectKind.eq.parameter("band1.type")?.value(of: "bell") else {
      preconditionFailure("An equalizer's bands can be bells.")
    }
    return value
  }

  private mutating func add(_ kind: DAWModel.EffectKind, on track: TrackID, _ values: [String: Double] = [:]) {
    let effect = EffectID(rawValue: Int64(effects.count + 1))
    effects.append(Effect(id: effect, on: track, kind, orderKey: OrderKey(unchecked: "\(effects.count)V")))
    for (parameter, value) in values.sorted(by: { $0.key < $1.key }) {
      let id = EffectSettingID(rawValue: Int64(settings.count + 1))
      settings.append(EffectSetting(id: id, of: effect, parameter: parameter, value: value))
    }
  }

  private mutating func addLane(_ parameter: String, of track: TrackID, _ value: (Int) -> Double) {
    let id = LaneID(rawValue: Int64(lanes.count + 1))
    lanes.append(Lane(id: id, of: .track(track), parameter: parameter, timeBase: .absolute))
    let distance = Int64(Self.framesPerPoint) * Self.flicksPerFrame
    points[id] = (0...frames / Self.framesPerPoint + 1).map { number in
      LanePoint(
        id: LanePointID(rawValue: Int64(number + 1)), lane: id, position: Int64(number) * distance, value: value(number)
      )
    }
  }
}
