import DAWMedia
import DAWTestSupport
import DAWTime
import Testing

@testable import DAWProject

@Suite("Which passes of a recording sound")
struct HeardPassTests {
  private typealias Place = (host: Int64, timeline: Int64, frames: Int64)

  private let empty = RecordingDescription(
    header: RecordingHeader(
      project: "", recording: 7, title: "", startTime: 1_795_357_380_000, sampleRate: 48_000, encoding: .int24,
      segmentFrames: 20_000, owner: RecordedProject.gone))

  /// The places of those that sound, of passes on one track, or in turn on several.
  /// - Parameters:
  ///   - lost: the places of those that are all gap.
  ///   - whole: of those that are known to be whole.
  private func heard(_ places: [Place], tracks: Int = 1, lost: Set<Int> = [], whole: Set<Int64> = []) -> [Int] {
    var description = empty
    for (index, place) in places.enumerated() {
      let id = Int64(index)
      description.apply(
        .pass(
          PassHeader(
            pass: id, take: 1_000_000 + id, track: Int64(index % tracks), trackName: "Vox", channelCount: 1,
            firstHostFrame: place.host)))
      description.apply(.piece(pass: id, RecordedPiece(passFrame: 0, timelineFrame: place.timeline, frames: 0)))
      if lost.contains(index) {
        description.apply(.gap(pass: id, RecordedGapSpan(start: 0, frames: place.frames, cause: .diskFull)))
      } else {
        let file = RecordedSegmentFile(
          index: index, startFrame: 0, frames: place.frames, name: "Vox.\(index).wav", dataOffset: 0, byteCount: 0)
        description.apply(.segment(pass: id, file))
      }
      description.apply(.endPass(pass: id, frames: place.frames))
    }
    return description.heardPasses(whole: whole).sorted().map { Int($0) }
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

  @Test("In a loop the last full one does also where it is shorter, since the tempo was raised")
  func raisedTempo() {
    #expect(heard([(0, 500, 100), (100, 250, 50), (150, 250, 50)], whole: [0, 1, 2]) == [0, 2])
    // With a punch that begins at the timeline's start.
    #expect(heard([(0, 0, 100), (1_000, 0, 100), (1_500, 0, 50)], whole: [0, 1, 2]) == [2])
    #expect(heard([(0, 0, 100), (1_000, 0, 100), (1_500, 0, 50)], whole: [0, 1]) == [1])
  }

  @Test("One of which nothing is in a file silences none")
  func lost() {
    #expect(heard([(0, 500, 100), (100, 500, 100), (200, 500, 100)], lost: [2]) == [1])
    #expect(heard([(0, 500, 100), (100, 500, 100), (200, 500, 40)], lost: [1]) == [0])
    #expect(heard([(0, 500, 100)], lost: [0]).isEmpty)
  }

  @Test("A short one that begins elsewhere does, over what was played before")
  func elsewhere() {
    #expect(heard([(0, 500, 100), (1_000, 520, 40)]) == [1])
    #expect(heard([(0, 500, 100), (1_000, 600, 40)]) == [0, 1])
  }

  @Test("Of many passes the last one does, and of many places each one")
  func many() {
    let count: Int64 = 4_000
    #expect(heard((0..<count).map { (host: 100 * $0, timeline: 500, frames: 100) }) == [Int(count) - 1])
    #expect(heard((0..<count).map { (host: 100 * $0, timeline: 200 * $0, frames: 100) }).count == Int(count))
  }

  @Test("Of pieces that lie over each other, the later one sounds at each frame", arguments: 0..<50 as Range<UInt64>)
  func pieces(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var description = empty
    description.apply(.pass(PassHeader(pass: 1, take: 2, track: 3, trackName: "Vox", channelCount: 1)))
    var sounding: [Int64: Int64] = [:]
    var frame: Int64 = 0
    for _ in 0..<20 {
      let piece = RecordedPiece(
        passFrame: frame, timelineFrame: Int64.random(in: -20..<200, using: &random),
        frames: Int64.random(in: 1..<40, using: &random))
      description.apply(.piece(pass: 1, piece))
      for offset in 0..<piece.frames { sounding[piece.timelineFrame + offset] = frame + offset }
      frame += piece.frames
    }
    var found: [Int64: Int64] = [:]
    for piece in description.passes[0].uppermostPieces {
      for offset in 0..<piece.frames {
        let other = found.updateValue(piece.passFrame + offset, forKey: piece.timelineFrame + offset)
        #expect(other == nil)
      }
    }
    #expect(found == sounding)
  }

  @Test("Each track has its own")
  func tracks() {
    let places: [Place] = [(0, 500, 100), (0, 500, 100), (1_000, 500, 40), (1_000, 500, 100)]
    #expect(heard(places, tracks: 2) == [0, 3])
  }
}
