extension MediaLocation {
  /// Of a path, in bytes: no file can be opened by a longer one.
  static let maximumPathLength = 4096

  /// - Throws: `.mediaLocation`.
  public func validate() throws(RuleViolation) {
    try require(!path.isEmpty && relativePath != "", .mediaLocation, "an empty path")
    let length = max(path.utf8.count, relativePath?.utf8.count ?? 0)
    try require(length <= Self.maximumPathLength, .mediaLocation, "a path of \(length) bytes")
    try require(
      !path.unicodeScalars.contains("\0") && relativePath?.unicodeScalars.contains("\0") != true, .mediaLocation,
      "a path with a NUL character", of: path)
    try require(
      sha256.utf8.count == 64 && sha256.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }, .mediaLocation,
      "the hash '\(sha256)'", of: path)
    try require(byteCount >= 0, .mediaLocation, "a size of \(byteCount) bytes", of: path)
  }
}

extension AudioFile {
  /// Of the format, in characters.
  static let maximumFormatLength = 255

  /// How a message names it.
  public var subject: String { "audio file '\(location.path)'" }

  /// - Throws: the first rule that it breaks.
  public func validate() throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
    try location.validate()
    try require(
      format.utf8.count <= Self.maximumFormatLength || format.unicodeScalars.count <= Self.maximumFormatLength,
      .audioFileFacts, "a format of \(format.unicodeScalars.count) characters", of: subject)
    try require(frames.frames > 0, .audioFileFacts, "a length of \(frames.frames) frames", of: subject)
    try require((1...1024).contains(channelCount), .audioFileFacts, "\(channelCount) channels", of: subject)
    try require((1...10_000_000).contains(sampleRate.hertz), .audioFileFacts, "\(sampleRate.hertz) Hz", of: subject)
    try require(TimelineLimit.contains(duration), .timelineEnd, "a length of \(duration.seconds) s", of: subject)
  }
}

extension SoundFont {
  /// How a message names it.
  public var subject: String { "SoundFont '\(location.path)'" }

  /// - Throws: the first rule that it breaks.
  public func validate() throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
    try location.validate()
  }
}
