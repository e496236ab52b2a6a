extension Tempo {
  /// A tempo in BPM as it is typed, `120` or `120.5`; to the nearest 10⁻⁹ BPM, ties to even.
  /// - Throws: where it is no decimal number, or not 5 … 999.
  public init(parsing text: String) throws(TimeParseError) {
    guard !text.isEmpty else { throw TimeParseError(.tempo, .empty, text: text) }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    guard let number = DecimalNumber(isNegative ? text.dropFirst() : text[...]) else {
      throw TimeParseError(.tempo, .unreadable, text: text)
    }
    guard !isNegative, let nanoBPM = number.scaled(by: Self.nanoPerBPM),
      Self.accepted.contains(Tempo(nanoBPM: nanoBPM))
    else { throw TimeParseError(.tempo, .outOfRange, text: text) }
    self.init(nanoBPM: nanoBPM)
  }

  /// The tempo nearest to a number of BPM, as JSON has it; `nil` where that is not 5 … 999.
  public init?(nearestTo bpm: Double) {
    let nanoBPM = (bpm * Double(Self.nanoPerBPM)).rounded(.toNearestOrEven)
    guard let nanoBPM = Int64(exactly: nanoBPM), Self.accepted.contains(Tempo(nanoBPM: nanoBPM)) else { return nil }
    self.init(nanoBPM: nanoBPM)
  }
}
