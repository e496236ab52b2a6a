/// What a MIDI file's ticks count.
public enum MIDIFileDivision: Hashable, Sendable {
  /// Parts of a quarter note: 1 … 32,767.
  case ticksPerQuarter(Int)
  /// Parts of a frame of film or video; the file's tempo then says nothing about time.
  case timeCode(FrameRate, ticksPerFrame: Int)

  public enum FrameRate: Int, Sendable, CaseIterable {
    case film24 = 24
    case pal25 = 25
    /// 30 frames counted, 29.97 shown in a second: 30,000/1,001.
    case dropFrame30 = 29
    case nonDrop30 = 30
  }

  public static let acceptedTicksPerQuarter = 1...32_767
  public static let acceptedTicksPerFrame = 1...255
}

extension MIDIFileDivision {
  /// How many ticks pass in a second, as a fraction; `nil` where that is up to the tempo.
  public var ticksPerSecond: (numerator: Int64, denominator: Int64)? {
    guard case .timeCode(let rate, let ticksPerFrame) = self else { return nil }
    let ticks = Int64(ticksPerFrame)
    return rate == .dropFrame30 ? (30_000 * ticks, 1_001) : (Int64(rate.rawValue) * ticks, 1)
  }

  /// The header's 16 bits.
  var encoded: UInt16 {
    switch self {
    case .ticksPerQuarter(let ticks): UInt16(clamping: ticks) & 0x7fff
    case .timeCode(let rate, let ticksPerFrame):
      UInt16(UInt8(bitPattern: Int8(-rate.rawValue))) << 8 | UInt16(UInt8(clamping: ticksPerFrame))
    }
  }
}

extension MIDIFileDivision: CustomStringConvertible {
  public var description: String {
    switch self {
    case .ticksPerQuarter(let ticks): "\(ticks) ticks to the quarter note"
    case .timeCode(.dropFrame30, let ticks): "29.97 frames a second, \(ticks) ticks to the frame"
    case .timeCode(let rate, let ticks): "\(rate.rawValue) frames a second, \(ticks) ticks to the frame"
    }
  }
}
