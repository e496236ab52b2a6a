import DAWMedia
import Testing

@testable import DAWProject

@Suite("Which passes of a recording sound")
struct HeardPassTests {
  private typealias Place = (host: Int64, timeline: Int64, frames: Int64)

  /// The places of those that sound, of passes on one track, or in turn on several.
  private func heard(_ places: [Place], tracks: Int = 1) -> [Int] {
    var description = RecordingDescription(
      header: RecordingHeader(
        project: "", recording: 7, title: "", startTime: 1_795_357_380_000, sampleRate: 48_000, encoding: .int24,
        segmentFrames: 20_000, owner: RecordedProject.gone))
    for (index, place) in places.enumerated() {
      let id = Int64(index)
      description.apply(
        .pass(
          PassHeader(
            pass: id, take: 1_000_000 + id, track: Int64(index % tracks), trackName: "Vox", channelCount: 1,
            firstHostFrame: place.host)))
      description.apply(.piece(pass: id, RecordedPiece(passFrame: 0, timelineFrame: place.timeline, frames: 0)))
      description.apply(.endPass(pass: id, frames: place.frames))
    }
    return description.passes.indices.filter { description.isHeard(description.passes[$0]) }
  }

  @Test("In a loop the last full one does, with a punch in it too")
  func loop() {
    #expect(heard([(0, 500, 100), (100, 500, 100), (200, 500, 100)]) == [2])
    #expect(heard([(0, 500, 100), (100, 500, 100), (200, 500, 40)]) == [1])
    // The first one began before the loop.
    #expect(heard([(0, 200, 400), (400, 500, 40)]) == [0])
    // The loop lasts 1,000 frames, the punch 100.
    #expect(heard([(0, 500, 100), (1_000, 500, 100), (2_000, 500, 100)]) == [2])
    #expect(heard([(0, 500, 100), (1_000, 500, 100), (2_000, 500, 40)]) == [1])
    #expect(heard([(0, 500, 100), (1_000, 500, 40)]) == [0])
  }

  @Test("A short one that begins elsewhere does, over what was played before")
  func elsewhere() {
    #expect(heard([(0, 500, 100), (1_000, 520, 40)]) == [1])
    #expect(heard([(0, 500, 100), (1_000, 600, 40)]) == [0, 1])
  }

  @Test("Each track has its own")
  func tracks() {
    let places: [Place] = [(0, 500, 100), (0, 500, 100), (1_000, 500, 40), (1_000, 500, 100)]
    #expect(heard(places, tracks: 2) == [0, 3])
  }
}
