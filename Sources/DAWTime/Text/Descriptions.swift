// Descriptions in the syntax of the command line. Every description of a value on the timeline parses to the same
// value, except for a clock text with fewer decimals than needed.

extension FlickPosition: CustomStringConvertible {
  /// In seconds, "12.5s", with as many of nine decimals as are needed.
  public var description: String { "\(decimalText(flicks, per: FlickCount.perSecond))s" }

  /// In minutes and seconds, with hours if there are any: "1:02.500".
  /// - Parameter decimals: the least and the most decimal places of the seconds, within 1 … 9. 9 places are exact.
  public func clock(decimals: ClosedRange<Int> = 3...3) -> String {
    clockText(flicks, decimals: decimals.clamped(to: 1...9))
  }
}

extension FlickCount: CustomStringConvertible {
  /// In seconds, "12.5s", with as many of nine decimals as are needed.
  public var description: String { "\(decimalText(flicks, per: Self.perSecond))s" }

  /// In minutes and seconds, as `FlickPosition.clock(decimals:)`.
  public func clock(decimals: ClosedRange<Int> = 3...3) -> String {
    FlickPosition(flicks: flicks).clock(decimals: decimals)
  }
}

extension TickPosition: CustomStringConvertible {
  /// In quarter notes, "2.5b", with as many of six decimals as are needed.
  public var description: String { "\(decimalText(ticks, per: TickCount.perQuarter, decimals: 0...6))b" }
}

extension TickCount: CustomStringConvertible {
  /// In quarter notes, "2.5b", with as many of six decimals as are needed.
  public var description: String { "\(decimalText(ticks, per: Self.perQuarter, decimals: 0...6))b" }
}

extension FramePosition: CustomStringConvertible {
  public var description: String { "\(frames)f" }
}

extension FrameCount: CustomStringConvertible {
  public var description: String { "\(frames)f" }
}

extension Tempo: CustomStringConvertible {
  /// In BPM, exactly: "120", "120.5".
  public var description: String { decimalText(nanoBPM, per: Self.nanoPerBPM) }
}
