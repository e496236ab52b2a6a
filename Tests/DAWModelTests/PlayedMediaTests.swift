import DAWModel
import DAWTime
import Testing

@Suite("The media that a project plays")
struct PlayedMediaTests {
  private let file = AudioFileID(rawValue: 1)
  private let other = AudioFileID(rawValue: 2)
  private let vocal = TrackID(rawValue: 3)
  private let piano = TrackID(rawValue: 4)
  private let font = SoundFontID(rawValue: 5)

  private func span(of file: AudioFileID, seconds: Int64, isReversed: Bool = false) -> AudioSpan {
    AudioSpan(file: file, duration: .seconds(seconds), isReversed: isReversed)
  }

  private func project(_ regions: [Region]) throws -> Project {
    var project = Project(
      id: try #require(ProjectID(uuidString: "0b9ad1a1-2c5f-4d7c-8a2f-2ad2ffb54cf3")),
      createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings(name: Name(literal: "Song")))
    project.insert([Instrument(of: piano, soundFont: font)])
    project.insert(regions)
    return project
  }

  private func region(_ id: Int64, on track: TrackID, _ content: Region.Content) -> Region {
    Region(id: RegionID(rawValue: id), track: track, start: .musical(.zero), content: content)
  }

  @Test("A file counts once for each direction, with what all of its regions play")
  func directions() throws {
    let forwards = span(of: file, seconds: 2)
    let backwards = span(of: file, seconds: 1, isReversed: true)
    let played = try project([
      region(1, on: vocal, .audio(forwards)), region(2, on: vocal, .audio(forwards)),
      region(3, on: vocal, .audio(backwards)), region(4, on: vocal, .audio(span(of: other, seconds: 1))),
    ]).playedMedia()
    let seconds: [PlayedFile: Double] = [
      PlayedFile(forwards): 4, PlayedFile(backwards): 1, PlayedFile(span(of: other, seconds: 1)): 1,
    ]
    #expect(played.files == seconds)
    #expect(played.files.keys.sorted().map(\.id) == [file, file, other])
    #expect(played.files.keys.sorted().map(\.isReversed) == [false, true, false])
    #expect(played.soundFonts.isEmpty)
  }

  @Test("Only regions that are heard play, and only those of the tracks that are asked for")
  func heard() throws {
    var muted = region(1, on: vocal, .audio(span(of: file, seconds: 1)))
    muted.isMuted = true
    var unused = region(2, on: vocal, .audio(span(of: file, seconds: 1)))
    unused.isInUse = false
    var project = try project([muted, unused])
    #expect(project.playedMedia().files.isEmpty)
    project.insert([
      region(3, on: vocal, .audio(span(of: other, seconds: 1))),
      region(4, on: piano, .midi(TickCount(ticks: TickCount.perQuarter))),
    ])
    #expect(project.playedMedia().files.keys.map(\.id) == [other])
    #expect(project.playedMedia().soundFonts == Set([font]))
    #expect(project.playedMedia(on: [vocal]).soundFonts.isEmpty)
    #expect(project.playedMedia(on: [piano]).files.isEmpty)
    #expect(project.playedMedia(on: [piano]).soundFonts == Set([font]))
  }
}
