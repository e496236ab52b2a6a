/// Every rule that a project obeys. The raw value is the rule's name: in the schema's constraints and triggers, in
/// messages, and in what `daw check` prints.
public enum Rule: String, CaseIterable, Sendable, Codable {
  // Of a project.
  case projectIsOne, name, nameKey, tempo, timeSignature, sampleRate, panLaw, timelineEnd
  // Of a track.
  case trackNameIsUnique, masterIsOne, masterStays, masterIsLast, trackType, trackTypeStays, channelCount, color, volume
  case pan, orderKey, instrument, reverb, chorus, midiOutput, flag
  // Of a region.
  case regionType, regionFitsTrack, timeBase, regionStart, regionDuration, regionWithinFile, channelsFitFile
  case channelsFitTrack, gain, regionCoversNotes
  // Of a note.
  case noteStart, noteDuration, noteWithinRegion, pitch, velocity, channel
  // Of an event.
  case eventStart, eventWithinRegion, eventKind, eventValue, eventBytes, regionCoversEvents
  // Of the timeline.
  case tempoPosition, meterBar, markIsOnce, keySignature, markPosition, markerKind, markerLength
  // Of media.
  case mediaLocation, mediaIsOnce, audioFileFacts, mediumIsUnused
  // Of references.
  case referenceExists, identifier
}

extension Rule {
  /// What enforces a rule.
  public enum Enforcement: Sendable {
    /// The schema: a `CHECK`, a foreign key or a raising trigger refuses any program that writes the file.
    case schema
    /// Each commit of daw, and `daw check`: a constraint cannot enforce it, since it may be broken during a
    /// transaction, or needs Swift's Unicode tables.
    case commit
  }

  public var enforcement: Enforcement {
    switch self {
    case .nameKey, .regionCoversNotes, .regionCoversEvents: .commit
    default: .schema
    }
  }
}
