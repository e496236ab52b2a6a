import DAWModel
import DAWStore
import DAWTime

/// What somebody said of a tempo.
public struct TempoSetting: Sendable {
  public var tempo: Tempo?
  public var isRamp: Bool?
  public var position: TickPosition?

  public init() {}
}

/// What somebody said of a meter.
public struct MeterSetting: Sendable {
  public var timeSignature: TimeSignature?
  /// From 1.
  public var bar: Int64?

  public init() {}
}

extension Editor {
  /// Everything musical keeps its bar and beat.
  /// - Throws: the rules' violations: at the start stands the project's own tempo, and elsewhere one at a place.
  public func addTempo(_ tempo: Tempo, at position: TickPosition, isRamp: Bool) throws -> TempoMark {
    let mark = TempoMark(id: try newTempoMarkID(), position: position, tempo: tempo, isRamp: isRamp)
    try apply(.addMark(.tempo(mark)))
    note("Added a tempo of \(tempo) BPM at \(try placeName(position))")
    return mark
  }

  /// - Parameter reference: `nil` is the project's own tempo, at the start.
  public func setTempo(_ reference: TempoMark?, _ setting: TempoSetting) throws {
    guard var mark = reference else {
      guard setting.position == nil else {
        throw RuleViolation(
          .tempoPosition, value: "another place for the first tempo",
          accepted: "A project begins with a tempo; add-tempo adds another.")
      }
      var settings = try view.header().settings
      settings.tempo = setting.tempo ?? settings.tempo
      settings.isTempoRamp = setting.isRamp ?? settings.isTempoRamp
      try apply(.setProject(settings))
      return note("Changed the tempo at the start")
    }
    mark.tempo = setting.tempo ?? mark.tempo
    mark.isRamp = setting.isRamp ?? mark.isRamp
    mark.position = setting.position ?? mark.position
    try apply(.setMark(.tempo(mark)))
    note("Changed the tempo at \(try placeName(mark.position))")
  }

  public func removeTempo(_ mark: TempoMark) throws {
    let place = try placeName(mark.position)
    try apply(.removeMark(.tempo(mark.id)))
    note("Removed the tempo at \(place)")
  }

  public func addMeter(_ timeSignature: TimeSignature, atBar bar: Int64) throws -> MeterMark {
    let mark = MeterMark(id: try newMeterMarkID(), bar: bar, timeSignature: timeSignature)
    try apply(.addMark(.meter(mark)))
    note("Added the time signature \(timeSignature) at bar \(bar)")
    return mark
  }

  /// - Parameter reference: `nil` is the project's own, at the start.
  public func setMeter(_ reference: MeterMark?, _ setting: MeterSetting) throws {
    guard var mark = reference else {
      guard setting.bar == nil else {
        throw RuleViolation(
          .meterBar, value: "another place for the first time signature",
          accepted: "A project begins with a time signature; add-meter adds another.")
      }
      var settings = try view.header().settings
      settings.timeSignature = setting.timeSignature ?? settings.timeSignature
      try apply(.setProject(settings))
      return note("Changed the time signature at the start")
    }
    mark.timeSignature = setting.timeSignature ?? mark.timeSignature
    mark.bar = setting.bar ?? mark.bar
    try apply(.setMark(.meter(mark)))
    note("Changed the time signature at bar \(mark.bar)")
  }

  public func removeMeter(_ mark: MeterMark) throws {
    try apply(.removeMark(.meter(mark.id)))
    note("Removed the time signature at bar \(mark.bar)")
  }

  func placeName(_ position: TickPosition) throws -> String {
    try tempoMap().barBeatTick(at: position).description
  }
}
