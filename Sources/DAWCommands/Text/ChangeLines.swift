import DAWInterchange
import DAWModel
import DAWProject

/// Lines of `ChangeReport.lines()`, fitted to the terminal's width.
func changeLines(_ lines: [String], indentation: String) -> [StyledLine] {
  lines.flatMap { line in
    let text = TerminalText.line(indentation + (Terminal.drawsUnicode ? line : line.replacing(" → ", with: " -> ")))
    return TextWrapping.fittedLines(text, width: Terminal.columns(), indentation: indentation.count + 2)
  }.map { StyledLine($0) }
}

/// The changed rows of a report as JSON, each made as it is written.
struct ChangedRows: JSONWritable {
  let report: ChangeReport

  func write(to writer: inout JSONWriter) throws { try writer.array(report.records) }
}

extension ChangedRecord: JSONWritable {
  package func write(to writer: inout JSONWriter) throws {
    let fields = fields.map { field in (field.name, JSONObject(["old": field.old, "new": field.new])) }
    let members = JSONObject([
      "entity": entity, "id": uuid, "operation": operation.rawValue, "name": name, "region": region, "lane": lane,
      "fields": JSONObject(Dictionary(fields) { first, _ in first }),
    ])
    try members.write(to: &writer)
  }
}

/// References as UUIDs, flags as truth values, everything else as it is stored.
extension ChangedRecord.Value: JSONWritable {
  package func write(to writer: inout JSONWriter) throws {
    let value: any JSONWritable =
      switch (field, stored) {
      case (let reference as any RowReference, _): reference.uuidString
      case (let flag as Bool, _): flag
      case (_, .null): Int64?.none
      case (_, .integer(let number)): number
      case (_, .real(let number)): number.isFinite ? number : "\(number)"
      case (_, .text(let text)): text
      case (_, .bytes(let bytes)): hexadecimal(bytes)
      }
    try value.write(to: &writer)
  }
}
