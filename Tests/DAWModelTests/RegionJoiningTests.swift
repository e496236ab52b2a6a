import DAWModel
import DAWTime
import Testing

@Suite("Regions that become one")
struct RegionJoiningTests {
  private let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)

  private func region(_ id: Int64, from start: Int64, offset: Int64, seconds: Int64) -> Region {
    Region(
      id: RegionID(rawValue: id), track: TrackID(rawValue: 1), start: .absolute(.zero + .seconds(start)),
      content: .audio(AudioSpan(file: AudioFileID(rawValue: 1), offset: .seconds(offset), duration: .seconds(seconds))))
  }

  @Test("Two that go on in their file become one, and the last fade out is that of the last")
  func joins() throws {
    let first = region(1, from: 2, offset: 1, seconds: 3)
    var second = region(2, from: 5, offset: 4, seconds: 1)
    second.fadeOut = Fade(length: .milliseconds(20), shape: .sCurve)
    let joined = try first.joined(with: [second], in: map)
    #expect(joined.audio?.duration == .seconds(4))
    #expect(joined.audio?.offset == .seconds(1))
    #expect(joined.fadeOut == second.fadeOut)
    #expect(joined.id == first.id)
  }

  @Test("A fade that a split has cut becomes whole")
  func fades() throws {
    var first = region(1, from: 0, offset: 0, seconds: 1)
    var second = region(2, from: 1, offset: 1, seconds: 3)
    first.fadeIn = Fade(length: .seconds(2), shape: .exponential)
    second.fadeIn = Fade(length: .seconds(2), cut: .seconds(1), shape: .exponential)
    first.fadeOut = Fade(length: .milliseconds(3500), cut: .seconds(3))
    second.fadeOut = Fade(length: .milliseconds(3500))
    let joined = try first.joined(with: [second], in: map)
    #expect(joined.fadeIn == first.fadeIn)
    #expect(joined.fadeOut == second.fadeOut)
    second.fadeIn.cut = .milliseconds(999)
    #expect(throws: JoinError.self) { try first.joined(with: [second], in: map) }
  }

  @Test("What does not go on, or sounds otherwise, is refused with the reason")
  func refusals() {
    let first = region(1, from: 0, offset: 0, seconds: 1)
    let good = region(2, from: 1, offset: 1, seconds: 1)
    let changes: [(String, (inout Region) -> Void)] = [
      (
        "they play different files",
        { $0.content = .audio(AudioSpan(file: AudioFileID(rawValue: 2), duration: .seconds(1))) }
      ),
      ("the second does not begin where the first ends", { $0.start = .absolute(.zero + .milliseconds(1001)) }),
      (
        "the second does not go on in the file where the first ends",
        { $0.content = .audio(AudioSpan(file: AudioFileID(rawValue: 1), duration: .seconds(1))) }
      ),
      ("their gains differ", { $0.gain = Level(decibels: -1) }), ("one of them is muted", { $0.isMuted = true }),
      ("there is a fade between them", { $0.fadeIn = Fade(length: .milliseconds(3)) }),
    ]
    for (reason, change) in changes {
      var next = good
      change(&next)
      let error = #expect(throws: JoinError.self) { try first.joined(with: [next], in: map) }
      #expect(error?.reason == reason)
    }
  }
}
