import DAWTime

extension TempoMap {
  /// A project's tempo map.
  /// - Throws: `TempoMapError` if the changes break a rule.
  public init(
    _ settings: ProjectSettings, tempoChanges: some Sequence<TempoChange>, meterChanges: some Sequence<MeterChange>
  ) throws(TempoMapError) {
    let first = TempoPoint(at: .zero, settings.tempo, isRamp: settings.isTempoRamp)
    var meter = MeterPoint(at: .zero, settings.timeSignature)
    var (meters, bar) = ([meter], Int64(1))
    for change in meterChanges.sorted(by: { $0.bar < $1.bar }) {
      let length = TickCount(ticks: (change.bar - bar) * meter.timeSignature.bar.ticks)
      meter = MeterPoint(at: meter.position + length, change.timeSignature)
      bar = change.bar
      meters.append(meter)
    }
    try self.init(
      tempos: [first] + tempoChanges.map { TempoPoint(at: $0.position, $0.tempo, isRamp: $0.isRamp) }, meters: meters)
  }

  /// The map with one more change.
  /// - Throws: `TempoMapError` if the change breaks a rule; the map is as it was.
  public mutating func insert(_ change: TempoChange) throws(TempoMapError) {
    try insert(TempoPoint(at: change.position, change.tempo, isRamp: change.isRamp))
  }

  /// Likewise.
  public mutating func insert(_ change: MeterChange) throws(TempoMapError) {
    try insert(change.timeSignature, atBar: change.bar - 1)
  }

  /// The map with a change in the place of the one at its position.
  /// - Returns: whether there is one.
  /// - Throws: `TempoMapError` if the change breaks a rule; the map is as it was.
  public mutating func replace(_ change: TempoChange) throws(TempoMapError) -> Bool {
    try replace(TempoPoint(at: change.position, change.tempo, isRamp: change.isRamp))
  }

  /// Likewise.
  public mutating func replace(_ change: MeterChange) throws(TempoMapError) -> Bool {
    try replace(change.timeSignature, atBar: change.bar - 1)
  }
}

extension Project {
  /// The project's tempo map. If a change breaks a rule, which no store allows, only the first tempo and meter are
  /// used.
  public var tempoMap: TempoMap {
    (try? TempoMap(settings, tempoChanges: tempoChanges.values, meterChanges: meterChanges.values))
      ?? TempoMap(tempo: settings.tempo, timeSignature: settings.timeSignature)
  }
}
