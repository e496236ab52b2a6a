import DAWModel
import DAWProject
import DAWTestSupport
import DAWTime
import Testing

@Suite struct CapturedMIDITests {
  private let map = TempoMap(tempo: Tempo(bpm: 120), timeSignature: .fourFour)
  private let rate = SampleRate(hertz: 48_000)

  /// The content of two seconds from a second after the start on: four quarters.
  private func captured(_ messages: [(frame: Int64, bytes: [UInt8])]) -> CapturedMIDI {
    CapturedMIDI(
      messages.map { CapturedMIDI.Message(frame: FramePosition(frames: $0.frame), bytes: $0.bytes) },
      in: FramePosition(frames: 48_000)..<FramePosition(frames: 144_000), map, rate: rate)
  }

  private func notes(_ content: CapturedMIDI) -> [MIDINote] {
    content.notes(from: NoteID(rawValue: 1), in: RegionID(rawValue: 9))
  }

  /// Pitch, start and end of each.
  private func places(_ content: CapturedMIDI) -> [[Int64]] {
    notes(content).map { [Int64($0.pitch), $0.start.ticks, $0.end.ticks] }
  }

  private func messages(_ content: CapturedMIDI) -> [RegionEvent.Message] {
    content.events(from: EventID(rawValue: 1), in: RegionID(rawValue: 9)).map(\.message)
  }

  /// Up to 20 tempos of at most 160 BPM, some of them ramps: a tick is longer than a frame at each rate.
  private static func map(_ random: inout SeededGenerator) throws -> TempoMap {
    func tempo() -> Tempo { Tempo(nanoBPM: Int64.random(in: 5...160, using: &random) * Tempo.nanoPerBPM) }
    var tempos = [TempoPoint(at: .zero, tempo(), isRamp: Bool.random(using: &random))]
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let ticks = Int64.random(in: 1...200_000, using: &random)
      let place = (tempos.last?.position ?? .zero) + TickCount(ticks: ticks)
      tempos.append(TempoPoint(at: place, tempo(), isRamp: Bool.random(using: &random)))
    }
    return try TempoMap(tempos: tempos, meters: [MeterPoint(at: .zero, .fourFour)])
  }

  @Test(arguments: [44_100, 48_000, 96_000, 192_000])
  func whatIsSentAtTheFramesOfItsTicksComesBack(hertz: Int) throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    let rate = SampleRate(hertz: hertz)
    for _ in 0..<30 {
      let map = try Self.map(&random)
      let start = Int64.random(in: 0...2_000_000, using: &random)
      let length = Int64.random(in: 2...1_000_000, using: &random)
      func frame(_ tick: Int64) -> FramePosition { map.flicks(at: TickPosition(ticks: start + tick)).frames(at: rate) }
      var sent: [(tick: Int64, rank: Int, bytes: [UInt8])] = []
      var expected: Set<MIDINote> = []
      for voice in 0..<Int.random(in: 1...40, using: &random) {
        let (pitch, channel) = (voice * 3 % 128, voice % 16)
        var place = Int64.random(in: 0..<length, using: &random)
        while place < length {
          let end = Int64.random(in: place + 1...length, using: &random)
          let velocity = Int.random(in: 1...127, using: &random)
          let release = Bool.random(using: &random) ? 64 : Int.random(in: 0...127, using: &random)
          sent.append((place, 1, [0x90 | UInt8(channel), UInt8(pitch), UInt8(velocity)]))
          let isShort = release == 64 && Bool.random(using: &random)
          let off: [UInt8] = isShort ? [0x90, UInt8(pitch), 0] : [0x80, UInt8(pitch), UInt8(release)]
          // Held at the end, it is ended there.
          if end < length { sent.append((end, 0, [off[0] | UInt8(channel)] + off.dropFirst())) }
          expected.insert(
            MIDINote(
              id: NoteID(rawValue: 1), region: RegionID(rawValue: 9), pitch: pitch, velocity: velocity,
              start: TickCount(ticks: place), duration: TickCount(ticks: end - place), channel: channel,
              releaseVelocity: end < length ? release : 64))
          place = end + Int64.random(in: 0...length / 2, using: &random)
        }
      }
      for _ in 0..<20 {
        let tick = Int64.random(in: 0..<length, using: &random)
        sent.append((tick, 2, [[0xf8], [0xfe], [0xf1, 3]].randomElement(using: &random) ?? [0xf8]))
      }
      sent.sort { ($0.tick, $0.rank) < ($1.tick, $1.rank) }
      let content = CapturedMIDI(
        sent.map { CapturedMIDI.Message(frame: frame($0.tick), bytes: $0.bytes) }, in: frame(0)..<frame(length), map,
        rate: rate)
      var found = Set<MIDINote>()
      for var note in notes(content) {
        note.id = NoteID(rawValue: 1)
        found.insert(note)
      }
      #expect(content.start.ticks == start && content.length.ticks == length, "seed \(seed)")
      #expect(found == expected, "seed \(seed)")
      #expect(content.noteCount == expected.count && content.eventCount == 0, "seed \(seed)")
    }
  }

  @Test func whatIsHeldEndsWithThePiece() {
    let content = captured([(48_000, [0x90, 60, 80]), (96_000, [0x91, 61, 80]), (143_999, [0x81, 61, 7])])
    #expect(content.start.ticks == 2 * 15_360)
    #expect(content.length.ticks == 4 * 15_360)
    #expect(places(content) == [[60, 0, 61_440], [61, 30_720, 61_439]])
    #expect(notes(content).map(\.releaseVelocity) == [64, 7])
    #expect(notes(content).map(\.channel) == [0, 1])
  }

  @Test func aSecondNoteOnEndsTheFirst() {
    let content = captured([
      (48_000, [0x90, 60, 80]), (72_000, [0x90, 60, 90]), (96_000, [0x90, 60, 0]), (97_000, [0x80, 60, 0]),
    ])
    #expect(places(content) == [[60, 0, 15_360], [60, 15_360, 30_720]])
    #expect(notes(content).map(\.velocity) == [80, 90])
  }

  @Test func onlyWhatBeganInThePieceIsInIt() {
    let content = captured([
      (47_999, [0x90, 60, 80]), (50_000, [0x80, 60, 0]), (47_000, [0xb0, 7, 1]), (144_000, [0xb0, 7, 2]),
      (144_000, [0x90, 61, 80]),
    ])
    #expect(content.noteCount == 0)
    #expect(content.eventCount == 0)
  }

  @Test func aNoteLastsATickAtLeastAndEndsInTheRegion() {
    // Two ticks are three frames and an eighth: both are at one tick.
    let content = captured([(48_000, [0x90, 60, 80]), (48_000, [0x80, 60, 0]), (143_999, [0x90, 61, 80])])
    #expect(places(content) == [[60, 0, 1], [61, 61_439, 61_440]])
    let frame = FramePosition(frames: 0)
    let slow = TempoMap(tempo: Tempo(bpm: 5), timeSignature: .fourFour)
    let short = CapturedMIDI(
      [CapturedMIDI.Message(frame: frame, bytes: [0x90, 60, 80])], in: frame..<FramePosition(frames: 1), slow,
      rate: rate)
    #expect(short.length.ticks == 1)
    #expect(places(short) == [[60, 0, 1]])
  }

  @Test func everyMessageOfAChannelAndSystemExclusiveIsAnEvent() {
    let content = captured([
      (48_000, [0xb2, 7, 90]), (48_000, [0xc2, 5]), (48_000, [0xd2, 44]), (48_000, [0xa2, 60, 33]),
      (48_000, [0xe2, 0, 96]), (49_000, [0xf0, 0x7d, 1, 0xf7]), (49_000, [0xf8]), (49_000, [0xf2, 1, 2]),
      (143_999, [0xb2, 7, 91]),
    ])
    let expected: [RegionEvent.Message] = [
      .controller(number: 7, value: 90), .program(5), .channelPressure(44), .polyPressure(pitch: 60, value: 33),
      .pitchBend(4_096), .systemExclusive([0xf0, 0x7d, 1, 0xf7]), .controller(number: 7, value: 91),
    ]
    #expect(messages(content) == expected)
    let events = content.events(from: EventID(rawValue: 5), in: RegionID(rawValue: 9))
    #expect(events.map(\.channel) == [2, 2, 2, 2, 2, 0, 2])
    #expect(events.map(\.start.ticks) == [0, 0, 0, 0, 0, 640, 61_439])
    #expect(events.map(\.id.rawValue) == [5, 6, 7, 8, 9, 10, 11])
  }

  @Test func damagedMessagesAreLeftOut() {
    let long = [0xf0] + [UInt8](repeating: 1, count: 1 << 20) + [0xf7]
    let damaged: [[UInt8]] = [
      [], [60, 80], [0x90], [0x90, 60], [0x90, 60, 80, 1], [0x90, 200, 80], [0xc0, 1, 2], [0xf0, 1], [0xf0],
      [0xf0, 0x90, 0xf7], long,
    ]
    let content = captured(damaged.map { (50_000, $0) } + [(50_000, [0xb0, 1, 2])])
    #expect(content.noteCount == 0)
    #expect(messages(content) == [.controller(number: 1, value: 2)])
  }

  /// Whatever comes in, a region can hold it.
  @Test(arguments: 0..<200) func anyBytesMakeAValidRegion(number: Int) throws {
    let seed = Seed.current() &+ UInt64(number)
    var random = SeededGenerator(seed: seed)
    func frame() -> FramePosition {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: FramePosition(frames: [.min, .max, -1, 0].randomElement(using: &random) ?? 0)
      default: FramePosition(frames: Int64.random(in: -100...5_000, using: &random))
      }
    }
    let received = (0..<Int.random(in: 0...500, using: &random)).map { _ in
      let status = UInt8.random(in: 0x80...0xff, using: &random)
      let count = Int.random(in: 0...3, using: &random)
      let highest: UInt8 = Bool.random(using: &random) ? 3 : 255
      return CapturedMIDI.Message(
        frame: frame(), bytes: [status] + (0..<count).map { _ in UInt8.random(in: 0...highest, using: &random) })
    }
    let (a, b) = (frame(), frame())
    let content = CapturedMIDI(received, in: min(a, b)..<max(a, b), try Self.map(&random), rate: rate)
    let region = Region(
      id: RegionID(rawValue: 9), track: TrackID(rawValue: 1), name: Name(literal: "Take"),
      start: .musical(max(.zero, content.start)), content: .midi(content.length))
    do {
      for note in notes(content) {
        try note.validate(in: region)
        guard note.end < .usual else { continue }
        try note.validate()
      }
      for event in content.events(from: EventID(rawValue: 1), in: region.id) {
        try event.validate(in: region)
        guard event.start < .usual else { continue }
        try event.validate()
      }
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
  }
}

extension TickCount {
  /// Below any limit of the timeline.
  fileprivate static let usual = TickCount.quarters(1_000_000)
}
