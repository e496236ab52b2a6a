import DAWTime

extension ProjectSettings {
  /// - Throws: the first rule that these settings break.
  public func validate() throws(RuleViolation) {
    try name.validate()
    try require(Tempo.accepted.contains(tempo), .tempo, "a tempo of \(formatDecimal(tempo.bpm)) BPM", of: "the project")
    try require(timeSignature.isAccepted, .timeSignature, "a time signature of \(timeSignature)", of: "the project")
    try require(
      SampleRate.ofProjects.contains(sampleRate), .sampleRate, "a sample rate of \(sampleRate.hertz) Hz",
      of: "the project")
  }
}
