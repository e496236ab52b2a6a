import DAWModel
import DAWTime
import GRDB

extension ProjectSettings {
  static let columns = "name, tempo, meterNumerator, meterDenominator, sampleRate, panLaw, isTempoRamp"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    self = try reading(row, of: "project") {
      let panLawName: String = try row.decode(atIndex: 5)
      let settings = ProjectSettings(
        name: Name(unchecked: try row.decode(atIndex: 0)), tempo: Tempo(nanoBPM: try row.decode(atIndex: 1)),
        isTempoRamp: try row.flag(atIndex: 6),
        timeSignature: TimeSignature(try row.decode(atIndex: 2), over: try row.decode(atIndex: 3)),
        sampleRate: SampleRate(hertz: try row.decode(atIndex: 4)),
        panLaw: try meaning(PanLaw(rawValue: panLawName), of: panLawName, .panLaw))
      try settings.validate()
      return settings
    }
  }

  static let updateSQL = """
    UPDATE project SET name = ?, tempo = ?, meterNumerator = ?, meterDenominator = ?, sampleRate = ?, panLaw = ?,
      isTempoRamp = ?
    """

  var arguments: StatementArguments {
    [
      name.text, tempo.nanoBPM, timeSignature.numerator, timeSignature.denominator, sampleRate.hertz, panLaw.rawValue,
      isTempoRamp,
    ]
  }
}
