extension Instrument {
  /// - Parameter subject: how a message names the track.
  /// - Throws: the first rule that it breaks.
  func validate(of subject: String) throws(RuleViolation) {
    try require((0...16_383).contains(bank), .instrument, "a bank of \(bank)", of: subject)
    try require((0...127).contains(program), .instrument, "a program of \(program)", of: subject)
    try require(gain.isAccepted, .gain, "an instrument's gain of \(gain)", of: subject)
    try require((0...1).contains(reverb.roomSize), .reverb, "a room size of \(reverb.roomSize)", of: subject)
    try require((0...1).contains(reverb.damping), .reverb, "a damping of \(reverb.damping)", of: subject)
    try require((0...100).contains(reverb.width), .reverb, "a width of \(reverb.width)", of: subject)
    try require((0...1).contains(reverb.level), .reverb, "a level of \(reverb.level)", of: subject)
    try require((0...99).contains(chorus.voiceCount), .chorus, "\(chorus.voiceCount) voices", of: subject)
    try require((0...10).contains(chorus.level), .chorus, "a level of \(chorus.level)", of: subject)
    try require((0.1...5).contains(chorus.speed), .chorus, "a speed of \(chorus.speed)", of: subject)
    try require((0...256).contains(chorus.depth), .chorus, "a depth of \(chorus.depth)", of: subject)
  }
}

extension Track {
  /// Of a MIDI track's output, in characters.
  static let maximumOutputLength = 255

  func validateOutput() throws(RuleViolation) {
    guard let midiOutput else { return }
    let scalars = midiOutput.unicodeScalars
    let colon = scalars.dropFirst().firstIndex(of: ":")
    try require(
      trackType == .midi && scalars.count <= Self.maximumOutputLength
        && colon.map { scalars.index(after: $0) != scalars.endIndex } == true
        && !scalars.contains { $0.properties.generalCategory == .control },
      .midiOutput, "the output '\(midiOutput)'", of: subject)
  }
}
