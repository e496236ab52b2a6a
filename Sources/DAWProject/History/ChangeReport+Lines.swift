import DAWModel
import DAWStore

extension ChangeReport {
  /// One line for each row that is told, then for what is only counted: "Bass: volume -6 → -3 dB", "added region
  /// Drums/Loop at 5.1.0 (0:08.000)", "Keys/Verse: 1200 notes added".
  public func lines(arrow: String = "→") -> [String] {
    rows.map { $0.line(arrow: arrow) } + counts.map(\.line)
  }

  /// The lines beside an edit's summary, which says what was added or removed if that is one row; without files and
  /// instruments, which come and go with the tracks and regions that play them.
  var linesBesideSummary: [String] {
    var shown = self
    shown.rows.removeAll { row in
      row.operation != .changed && [Instrument.noun, AudioFile.noun, SoundFont.noun].contains(row.noun)
    }
    let isChange = shown.rows.contains { $0.operation == .changed } || counts.contains { $0.changed > 0 }
    return isChange || shown.rows.count + counts.count > 1 ? shown.lines() : []
  }
}

extension DescribedRow {
  fileprivate func line(arrow: String) -> String {
    // What has its track before its name is told by that.
    let isPlain = !label.isName || ["track", "region", "effect"].contains(noun)
    let place = label.place.map { " at \($0)" } ?? ""
    switch operation {
    case .added, .removed:
      return "\(operation.rawValue) \(label.isName ? "\(noun) " : "")\(label.text)\(label.isName ? place : "")"
    case .changed:
      let changes = fields.map { field in
        guard let old = field.old, let new = field.new else { return "\(field.name) changed" }
        return "\(field.name) \(old) \(arrow) \(new)"
      }
      return "\(isPlain ? "" : "\(noun) ")\(label.text): \(changes.joined(separator: ", "))"
    }
  }
}

extension CountedRows {
  /// "Keys/Verse: 1200 notes added, 3 changed".
  fileprivate var line: String {
    let parts = [(added, "added"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }
    let words = parts.enumerated().map { index, part in
      index == 0 ? "\(counted(part.0, noun)) \(part.1)" : "\(part.0) \(part.1)"
    }
    return (parent.map { "\($0): " } ?? "") + words.joined(separator: ", ")
  }
}
