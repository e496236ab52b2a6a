/// Every rule that a project obeys. The raw value is the rule's name: in the schema's constraints and triggers, in
/// messages, and in what `daw check` prints.
public enum Rule: String, CaseIterable, Sendable, Codable {
  // Of a project.
  case projectIsOne, name, tempo, timeSignature, sampleRate, panLaw, timelineEnd
  // Of a track.
  case trackNameIsUnique, masterIsOne, masterStays, masterIsLast, trackType, trackTypeStays, channelCount, color, volume
  case pan, orderKey, instrument, flag
  // Of a region.
  case regionType, regionFitsTrack, timeBase, regionStart, regionDuration, regionWithinFile, channelsFitFile
  case channelsFitTrack, gain
  // Of a note.
  case noteStart, noteDuration, noteWithinRegion, pitch, velocity, channel
  // Of media.
  case mediaLocation, mediaIsOnce, audioFileFacts, mediumIsUnused
  // Of references.
  case referenceExists, identifier
}

