import DAWModel
import DAWTime
import GRDB

extension ProjectSettings {
  static let columns = "name, tempo, meterNumerator, meterDenominator, sampleRate, panLaw"

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    self.init(
      name: Name(unchecked: row[0]), tempo: Tempo(nanoBPM: row[1]), timeSignature: TimeSignature(row[2], over: row[3]),
      sampleRate: SampleRate(hertz: row[4]), panLaw: try decode(PanLaw(rawValue: row[5]), "project.panLaw"))
  }

  static let updateSQL = """
    UPDATE project SET name = ?, tempo = ?, meterNumerator = ?, meterDenominator = ?, sampleRate = ?, panLaw = ?
    """

  var arguments: StatementArguments {
    [
      name.text, tempo.nanoBPM, timeSignature.numerator, timeSignature.denominator, sampleRate.hertz, panLaw.rawValue,
    ]
  }
}
