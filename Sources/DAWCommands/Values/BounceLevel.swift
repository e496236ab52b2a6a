import DAWRender

/// Levels as they are typed for a bounce, with their unit.
enum BounceLevel {
  /// `-1dBTP`, `-1dB`, `-1`.
  static func ceiling(typed text: String) throws -> Double {
    let lowered = text.lowercased()
    let unit = ["dbtp", "db"].first { lowered.hasSuffix($0) } ?? ""
    guard let level = decimal(trimmed(lowered.dropLast(unit.count))) else {
      throw Unreadable(text, "a ceiling is a true peak, such as -1dBTP.")
    }
    return level
  }

  fileprivate static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension NormalizationTarget {
  /// `-16LUFS`, `-1dBTP`, `-1dBFS`, with or without a space.
  init(typed text: String) throws {
    let lowered = text.lowercased()
    guard let unit = ["lufs", "dbtp", "dbfs"].first(where: lowered.hasSuffix),
      let level = decimal(BounceLevel.trimmed(lowered.dropLast(unit.count)))
    else { throw Unreadable(text, "a level to normalise to has its unit: -16LUFS, -1dBTP (true peak) or -1dBFS.") }
    switch unit {
    case "lufs": self = .loudness(level)
    case "dbtp": self = .truePeak(level)
    default: self = .samplePeak(level)
    }
  }
}
