/// The unit of a MIDI file's ticks.
public enum MIDIFileDivision: Hashable, Sendable {
  /// Ticks per quarter note: 1 … 32,767.
  case ticksPerQuarter(Int)
  /// Ticks per frame of SMPTE time code; tempo events then do not affect timing.
  case timeCode(FrameRate, ticksPerFrame: Int)

  public enum FrameRate: Int, Sendable, CaseIterable {
    case film24 = 24
    case pal25 = 25
    /// 30 frames drop-frame, 30,000/1,001 per second.
    case dropFrame30 = 29
    case nonDrop30 = 30
  }

  public static let acceptedTicksPerQuarter = 1...32_767
}

extension MIDIFileDivision {
  /// Ticks per second, as a fraction; `nil` if it depends on the tempo.
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
