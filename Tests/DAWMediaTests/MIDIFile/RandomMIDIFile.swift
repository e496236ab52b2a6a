import DAWMedia
import DAWTestSupport

/// MIDI files that are in order, with everything in them that a file can have.
struct RandomMIDIFile {
  var generator: SeededGenerator
  /// In texts and system exclusive.
  var highestByte: UInt8 = 255

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> MIDIFile {
    let format = MIDIFile.Format.allCases.randomElement(using: &generator) ?? .single
    let count = format == .single ? 1 : number(1...5)
    return MIDIFile(format: format, division: division(), tracks: (0..<count).map { _ in track() })
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func division() -> MIDIFileDivision {
    number(0...3) > 0
      ? .ticksPerQuarter(number(1...32_767))
      : .timeCode(
        MIDIFileDivision.FrameRate.allCases.randomElement(using: &generator) ?? .pal25, ticksPerFrame: number(1...255))
  }

  private mutating func track() -> MIDIFileTrack {
    var track = MIDIFileTrack()
    var tick: Int64 = 0
    for _ in 0..<number(0...60) {
      tick += Int64([0, 0, 1, 100, 200, 20_000, 3_000_000].randomElement(using: &generator) ?? 0)
      switch number(0...9) {
      case 0:
        let type: UInt8 = [1, 3, 5, 6, 0x20, 0x51, 0x54, 0x58, 0x59, 0x60, 0x7f].randomElement(using: &generator) ?? 1
        track.append(metaType: type, payload: bytes(), at: tick)
      case 1: track.append(status: number(0...1) == 0 ? 0xf0 : 0xf7, payload: bytes(), at: tick)
      default:
        let message = MIDIChannelMessage.allCases.randomElement(using: &generator) ?? .noteOn
        track.append(
          message, channel: number(0...2), data1: number(0...127),
          data2: message.dataByteCount == 2 ? number(0...127) : 0, at: tick)
      }
    }
    track.endTick += Int64(number(0...1) * number(0...1_000))
    return track
  }

  private mutating func bytes() -> [UInt8] {
    (0..<[0, 1, 3, 127, 128, 300][number(0...5)]).map { _ in UInt8.random(in: 0...highestByte, using: &generator) }
  }
}
