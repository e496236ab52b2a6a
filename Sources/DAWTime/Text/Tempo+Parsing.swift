extension Tempo {
  /// The tempo nearest to a number of BPM, as JSON and the command line have it. Whether a project accepts it is a
  /// rule.
  /// - Returns: `nil` for what is no number, or a million and more.
  public init?(nearestTo bpm: Double) {
    guard bpm.magnitude < 1_000_000 else { return nil }
    self.init(nanoBPM: Int64((bpm * Double(Self.nanoPerBPM)).rounded()))
  }
}
