extension String {
  /// The lines of what a program has written to standard error: without control characters, each at most 200 scalars.
  var complaintLines: [String] {
    split(whereSeparator: \.isNewline).map { line in
      String(line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }.prefix(200))
    }
  }
}
