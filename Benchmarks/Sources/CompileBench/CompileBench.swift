import DAWCompiler
import DAWEngine
import DAWMedia
import DAWModel
import DAWTime

/// Compiles a large project: 1,000 tracks, 10,000 regions, 1,000,000 notes, a tempo that keeps changing. Prints, as JSON,
/// the seconds of the first compilation and of one after a note was added; each the least of five.
@main
struct CompileBench {
  static func main() throws {
    let song = LargeSong()
    let edited = song.project(extraNote: true)
    let project = song.project(extraNote: false)
    var first = Double.infinity
    var again = Double.infinity
    var events = 0
    for _ in 0..<5 {
      let clock = ContinuousClock()
      let begin = clock.now
      let (plan, parts) = try compile(project, media: song.media)
      let middle = clock.now
      let next = try compile(edited, media: song.media, reusing: parts)
      let end = clock.now
      first = min(first, (middle - begin) / .seconds(1))
      again = min(again, (end - middle) / .seconds(1))
      events = next.plan.instruments.reduce(0) { $0 + $1.plan.events.count }
      precondition(plan.regions.count == LargeSong.regionCount / 2)
    }
    print("{\"first\": \(first), \"afterOneNote\": \(again), \"events\": \(events)}")
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
