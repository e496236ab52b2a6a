import DAWTime

extension TempoMap {
  /// What joins the clocks of a project.
  /// - Throws: where the marks break a rule.
  public init(
    _ settings: ProjectSettings, tempoMarks: some Sequence<TempoMark>, meterMarks: some Sequence<MeterMark>
  ) throws(TempoMapError) {
    let first = TempoChange(at: .zero, settings.tempo, isRamp: settings.isTempoRamp)
    var meter = MeterChange(at: .zero, settings.timeSignature)
    var (meters, bar) = ([meter], Int64(1))
    for mark in meterMarks.sorted(by: { $0.bar < $1.bar }) {
      let length = TickCount(ticks: (mark.bar - bar) * meter.timeSignature.bar.ticks)
      meter = MeterChange(at: meter.position + length, mark.timeSignature)
      bar = mark.bar
      meters.append(meter)
    }
    try self.init(
      tempos: [first] + tempoMarks.map { TempoChange(at: $0.position, $0.tempo, isRamp: $0.isRamp) }, meters: meters)
  }
}

extension Project {
  /// What joins the clocks. Where a rule is broken, which no store lets through, the first tempo and meter hold.
  public var tempoMap: TempoMap {
    (try? TempoMap(settings, tempoMarks: tempoMarks.values, meterMarks: meterMarks.values))
      ?? TempoMap(tempo: settings.tempo, timeSignature: settings.timeSignature)
  }
}
