import DAWEngine
import DAWTime

extension FrameNumber {
  public static func random(in range: Range<Self>, using random: inout some RandomNumberGenerator) -> Self {
    range.lowerBound + Int.random(in: 0..<range.count, using: &random)
  }

  public static func random(in range: ClosedRange<Self>, using random: inout some RandomNumberGenerator) -> Self {
    range.lowerBound + Int.random(in: 0...(range.upperBound - range.lowerBound), using: &random)
  }
}
