import DAWCompiler
import DAWEngine
import DAWMedia
import DAWModel
import DAWTime

/// Compiles two large projects: 1,000 tracks, 10,000 regions, 1,000,000 notes, a tempo that keeps changing; and 1,000
/// lanes of 1,000 points each. Prints, as JSON, the seconds of the first compilation and of one after a note was added
/// or a lane was changed; each the least of five.
@main
struct CompileBench {
  static func main() throws {
    let song = LargeSong()
    let notes = try measured(song.project(extraNote: false), song.project(extraNote: true), song.media)
    precondition(notes.plan.regions.count == LargeSong.regionCount / 2)
    let events = notes.plan.instruments.reduce(0) { $0 + $1.plan.events.count }
    let automated = AutomatedSong()
    let lanes = try measured(automated.project, automated.edited, song.media)
    precondition(lanes.plan.curveCount > AutomatedSong.laneCount)
    print(
      """
      {"first": \(notes.first), "afterOneNote": \(notes.again), "events": \(events), "lanes": \(lanes.first), \
      "afterOneLane": \(lanes.again)}
      """)
  }

  /// The least of five compilations, and of five after an edit.
  private static func measured(
    _ project: Project, _ edited: Project, _ media: MediaTable
  ) throws -> (first: Double, again: Double, plan: RenderPlan) {
    var (first, again) = (Double.infinity, Double.infinity)
    var plan: RenderPlan?
    for _ in 0..<5 {
      let clock = ContinuousClock()
      let begin = clock.now
      let (_, parts) = try compile(project, media: media)
      let middle = clock.now
      plan = try compile(edited, media: media, reusing: parts).plan
      let end = clock.now
      first = min(first, (middle - begin) / .seconds(1))
      again = min(again, (end - middle) / .seconds(1))
    }
    guard let plan else { preconditionFailure("Nothing was compiled.") }
    return (first, again, plan)
  }
}

extension RenderPlan {
  fileprivate var curveCount: Int {
    func count(_ control: Control) -> Int {
      guard case .product(let factors) = control else { return 0 }
      return factors.count { if case .curve = $0 { true } else { false } }
    }
    let ofSteps = steps.reduce(0) { sum, step in
      if case .mix(_, _, _, _, let left, let right) = step { sum + count(left) + count(right) } else { sum }
    }
    return inserts.reduce(ofSteps) { sum, insert in
      sum + insert.parameters.count { if case .curve = $0 { true } else { false } }
    }
  }
}

/// The same in every run.
struct LargeSong {
  static let trackCount = 1_000
  static let regionCount = 10_000
  static let noteCount = 1_000_000

  private static let perTrack = regionCount / trackCount
  private static let perRegion = noteCount / (regionCount / 2)
  private static let file = AudioFileID(rawValue: 1)
  private static let soundFont = SoundFontID(rawValue: 1)

  let media = MediaTable(
    audioFiles: [
      file: AudioSource(
        path: "/a.wav", sha256: "a", frameCount: 480_000, channelCount: 1,
        content: .plain(PCMLayout(dataOffset: 44, encoding: .int24, channelCount: 1)))
    ],
    soundFonts: [soundFont: PreparedSoundFont(path: "/a.sf2", sha256: "b")])

  /// Every second track is a MIDI track; its regions have two hundred notes each, a sixteenth apart.
  func project(extraNote: Bool) -> Project {
    var tracks = [Track(id: TrackID(rawValue: 1), orderKey: .master, trackType: .master)]
    var regions: [Region] = []
    var notes: [RegionID: [MIDINote]] = [:]
    for number in 0..<Self.trackCount {
      let track = TrackID(rawValue: Int64(number + 2))
      let isMIDI = number % 2 == 1
      tracks.append(
        Track(
          id: track, name: Name(unchecked: "T\(number)"), orderKey: OrderKey(unchecked: "\(number)V"),
          trackType: isMIDI ? .midi : .audio, pan: Pan(position: Double(number % 9 - 4) / 4)))
      for place in 0..<Self.perTrack {
        let region = RegionID(rawValue: Int64(regions.count + 1))
        let start = TickPosition(ticks: Int64(place) * 200 * 3_840)
        regions.append(
          Region(
            id: region, track: track, start: .musical(start),
            content: isMIDI
              ? .midi(TickCount(ticks: 200 * 3_840))
              : .audio(AudioSpan(file: Self.file, duration: FlickCount.seconds(5)))))
        if isMIDI { notes[region] = Self.notes(of: region) }
      }
    }
    if extraNote, let region = notes.keys.min() {
      notes[region]?.append(
        MIDINote(
          id: NoteID(rawValue: Int64.max / 2), region: region, start: TickCount(ticks: 199 * 3_840),
          duration: TickCount(ticks: 100)))
    }
    var project = Project(id: .random(), createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings())
    project.replace(with: tracks)
    project.replace(
      with: tracks.filter { $0.trackType == .midi }.map { Instrument(of: $0.id, soundFont: Self.soundFont) })
    project.replace(with: regions)
    project.notes = notes
    project.replace(
      with: (1..<100).map { bar in
        TempoChange(
          id: TempoChangeID(rawValue: Int64(bar)), position: TickPosition(ticks: Int64(bar) * 61_440),
          tempo: Tempo(bpm: 100 + bar % 40), isRamp: bar % 2 == 0)
      })
    return project
  }

  private static func notes(of region: RegionID) -> [MIDINote] {
    (0..<perRegion).map { index in
      MIDINote(
        id: NoteID(rawValue: region.rawValue * 1_000 + Int64(index)), region: region,
        pitch: 36 + (index * 7 + Int(region.rawValue)) % 48, velocity: 40 + index % 80,
        start: TickCount(ticks: Int64(index) * 3_840), duration: TickCount(ticks: Int64(1_000 + index % 7 * 500)))
    }
  }
}

/// Five hundred audio tracks, each with a lane of its volume, its pan, or a parameter of its effect, in turn, and a
/// second one; all points are at other places and have other values.
struct AutomatedSong {
  static let laneCount = 1_000
  private static let pointCount = 1_000

  let project: Project
  /// With one point of one lane changed.
  let edited: Project

  init() {
    var project = LargeSong().project(extraNote: false)
    let tracks = project.tracks.values.filter { $0.trackType == .audio }.sorted { $0.id < $1.id }
    precondition(tracks.count == Self.laneCount / 2)
    project.notes = [:]
    project.replace(
      with: tracks.enumerated().map { number, track in
        Effect(
          id: EffectID(rawValue: Int64(number + 1)), on: track.id, .compressor, orderKey: OrderKey(unchecked: "V"))
      })
    var lanes: [Lane] = []
    var points: [LaneID: [LanePoint]] = [:]
    for (number, track) in tracks.enumerated() {
      let owner = Lane.Owner.track(track.id)
      let effect = Lane.Owner.effect(EffectID(rawValue: Int64(number + 1)))
      for (owner, parameter) in [(owner, number % 2 == 0 ? "volume" : "pan"), (effect, "threshold")] {
        let lane = LaneID(rawValue: Int64(lanes.count + 1))
        lanes.append(Lane(id: lane, of: owner, parameter: parameter))
        points[lane] = Self.points(of: lane, parameter)
      }
    }
    project.replace(with: lanes)
    project.lanePoints = points
    self.project = project
    var edited = project
    edited.lanePoints[LaneID(rawValue: 7)]?[500].value -= 0.01
    self.edited = edited
  }

  private static func points(of lane: LaneID, _ parameter: String) -> [LanePoint] {
    (0..<pointCount).map { index in
      let share = Double((index * 7_919 + Int(lane.rawValue) * 104_729) % 1_000) / 1_000
      let value =
        switch parameter {
        case "volume": -40 + 45 * share
        case "pan": 2 * share - 1
        default: -50 + 40 * share
        }
      return LanePoint(
        id: LanePointID(rawValue: lane.rawValue * 10_000 + Int64(index)), lane: lane,
        position: Int64(index) * 2_011 + lane.rawValue, value: value, shape: index % 3 == 0 ? .sCurve : .linear)
    }
  }
}
