// The forms of the command line. Whatever is printed here and lies on the timeline reads back as the same value,
// except a clock's text that was asked to be rounded.

extension FlickPosition: CustomStringConvertible {
  /// In seconds, "12.5s", with as many of nine decimals as are needed.
  public var description: String { "\(decimalText(flicks, per: FlickCount.perSecond))s" }

  /// In minutes and seconds, with hours where there are any: "1:02.500".
  /// - Parameter decimals: how many places the seconds have, at least and at most, within 1 … 9. 9 places tell any two
  ///   flicks apart.
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
