import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// Adds a change of tempo. Everything musical keeps its bar and beat.
  /// - Throws: `EditError` if it is at the start, which has the project's own tempo, or there is one at the position
  ///   already.
  public func addTempo(_ tempo: Tempo, at position: TickPosition, isRamp: Bool) throws -> TempoChange {
    let mark = TempoChange(id: try newID(of: TempoChange.self), position: position, tempo: tempo, isRamp: isRamp)
    try apply(.add(mark))
    note("Added a tempo of \(tempo) BPM at \(try placeName(position))")
    return mark
  }

  /// - Parameter reference: `nil` for the project's own tempo, at the start.
  public func setTempo(_ reference: TempoChange?, _ change: Change<TempoChange>) throws {
    guard var mark = reference else {
      guard change[\.position] == nil else {
        throw RuleViolation(
          .tempoPosition, value: "another place for the first tempo",
          accepted: "A project begins with a tempo; add-tempo adds another.")
      }
      var settings = try view.header().settings
      settings.tempo = change[\.tempo] ?? settings.tempo
      settings.isTempoRamp = change[\.isRamp] ?? settings.isTempoRamp
      try apply(.setProject(settings))
      return note("Changed the tempo at the start")
    }
    change.apply(to: &mark)
    try apply(.set(mark))
    note("Changed the tempo at \(try placeName(mark.position))")
  }

  public func removeTempos(_ marks: [TempoChange]) throws {
    let places = try marks.map { try placeName($0.position) }
    try apply(.remove(marks.map(\.id)))
    for place in places { note("Removed the tempo at \(place)") }
  }

  public func addMeter(_ timeSignature: TimeSignature, atBar bar: Int64) throws -> MeterChange {
    let mark = MeterChange(id: try newID(of: MeterChange.self), bar: bar, timeSignature: timeSignature)
    try apply(.add(mark))
    note("Added the time signature \(timeSignature) at bar \(bar)")
    return mark
  }

  /// - Parameter reference: `nil` is the project's own, at the start.
  public func setMeter(_ reference: MeterChange?, _ change: Change<MeterChange>) throws {
    guard var mark = reference else {
      guard change[\.bar] == nil else {
        throw RuleViolation(
          .meterBar, value: "another place for the first time signature",
          accepted: "A project begins with a time signature; add-meter adds another.")
      }
      var settings = try view.header().settings
      settings.timeSignature = change[\.timeSignature] ?? settings.timeSignature
      try apply(.setProject(settings))
      return note("Changed the time signature at the start")
    }
    change.apply(to: &mark)
    try apply(.set(mark))
    note("Changed the time signature at bar \(mark.bar)")
  }

  public func removeMeters(_ marks: [MeterChange]) throws {
    try apply(.remove(marks.map(\.id)))
    for mark in marks { note("Removed the time signature at bar \(mark.bar)") }
  }

  func placeName(_ position: TickPosition) throws -> String {
    try tempoMap().barBeatTick(at: position).description
  }
}
