/// Every rule that a project obeys. The raw value is the rule's name: in the schema's constraints and triggers, in
/// messages, and in what `daw check` prints.
public enum Rule: String, CaseIterable, Sendable {
  // Of a project.
  case projectIsOne, name, nameKey, tempo, timeSignature, sampleRate, panLaw, timelineEnd, retention
  // Of a track.
  case trackNameIsUnique, masterIsOne, masterStays, masterIsLast, trackType, trackTypeStays, channelCount, color, volume
  case pan, orderKey, midiOutput, flag, overlap, trim, invertedSides, stereoWidth, output, busIsFed, routingCycle
  case audioInput, midiInput, monitor, recordOffset
  // Of sends and groups.
  case send, sendIsOnce, sendLevel, groupNameIsUnique, groupMember, memberIsOnce
  // Of lanes and their points.
  case laneOwner, laneParameter, laneIsOnce, pointPosition, pointIsOnce, pointValue, pointShape
  // Of effects.
  case effectKind, effectNumber, effectIsOnce, effectCount, effectKey, effectLatency, effectSetting
  case effectSettingIsOnce
  // Of an instrument.
  case instrument, gainReference, reverb, chorus
  // Of a region.
  case regionType, regionFitsTrack, timeBase, regionStart, regionDuration, regionWithinFile, channelsFitFile
  case channelsFitTrack, gain, regionCoversNotes, fade, reversal, regionOfTake
  // Of a note.
  case noteStart, noteDuration, noteWithinRegion, pitch, velocity, channel
  // Of an event.
  case eventStart, eventWithinRegion, eventKind, eventValue, eventBytes, regionCoversEvents
  // Of the timeline.
  case tempoPosition, meterBar, markIsOnce, keySignature, markPosition, markerKind, markerLength
  // Of media.
  case mediaLocation, mediaIsOnce, audioFileFacts, mediumIsUnused
  // Of comments.
  case commentSubject, commentThread, commentAuthor, commentDate, commentText
  // Of takes and recordings.
  case takeRating, takeTags, recordingTitle, recordingNotes, recordingFacts
  // Of transcripts and jobs.
  case transcriptText, transcriptFacts
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
    case .nameKey, .regionCoversNotes, .regionCoversEvents, .routingCycle, .pointIsOnce, .effectLatency: .commit
    default: .schema
    }
  }
}

extension Rule {
  /// What the rule accepts, as the last sentence of a message.
  public var accepted: String {
    switch self {
    case .projectIsOne: "A project file holds exactly one project."
    case .name: "A name has 1 … 255 characters, none of them a control character, and no space at its ends."
    case .nameKey: "The name key of a track, region, take or group is its name without regard to case and Unicode form."
    case .tempo: "A tempo is 5 … 999 BPM."
    case .timeSignature: "A time signature is 1 … 64 over 1, 2, 4, 8, 16, 32 or 64."
    case .sampleRate: "A project's rate is 44100, 48000, 88200, 96000, 176400 or 192000 Hz."
    case .panLaw: "A pan law is one of \(PanLaw.allCases.map(\.rawValue).joined(separator: ", "))."
    case .timelineEnd: "The timeline ends after 2^40 ticks, or 2^56 flicks (about 1,180 days)."
    case .trackNameIsUnique: "No two tracks have the same name; case is ignored."
    case .masterIsOne: "A project has exactly one master track."
    case .masterStays: "The master track is never removed and stays a master."
    case .masterIsLast: "The master track is last in the order, and only it has that place."
    case .trackType: "A track is of type audio, midi, bus or master."
    case .trackTypeStays:
      "A track's type can change only while it has no regions. Remove them first, or add another track."
    case .channelCount: "A track has 1 or 2 channels; a MIDI track, a bus and the master have 2."
    case .color: "A colour is \(Color.names.joined(separator: ", ")), or rrggbb in hexadecimal digits."
    case .volume: "A volume is -inf, or -60 … +12 dB."
    case .pan: "A pan is -1 (left) … +1 (right)."
    case .orderKey: "A track's order key is 1 … 200 digits of base 62 that do not end in 0."
    case .instrument: "Only a MIDI track has an instrument, with a bank 0 … 16383 and a program 0 … 127."
    case .gainReference:
      "An instrument's gain refers to \(Instrument.GainReference.allCases.map(\.rawValue).joined(separator: " or "))."
    case .reverb: "A reverb has a room size, a damping and a level of 0 … 1, and a width of 0 … 100."
    case .chorus: "A chorus has 0 … 99 voices, a level of 0 … 10, a speed of 0.1 … 5 Hz and a depth of 0 … 256 ms."
    case .midiOutput:
      "A MIDI track's output is CLIENT:PORT, at most 255 characters, none of them a control character."
    case .audioInput:
      "An audio track's inputs are one or, unless it is mono, two JACK ports, CLIENT:PORT, at most 320 characters, none "
        + "of them a control character."
    case .midiInput:
      "A MIDI track's input is CLIENT:PORT, at most 255 characters, none of them a control character."
    case .monitor: "An input is heard (monitor) \(Monitor.allCases.map(\.rawValue).joined(separator: ", "))."
    case .recordOffset: "A record offset is -192000 … 192000 frames."
    case .overlap: "Overlapping regions are summed (sum) or, on an audio track, crossfaded (crossfade)."
    case .trim: "A trim is -24 … +24 dB."
    case .invertedSides: "The sides to invert are \(InvertedSides.allCases.map(\.rawValue).joined(separator: ", "))."
    case .stereoWidth: "A stereo width is -1 (sides swapped) … 2; 0 is mono, 1 leaves it as it is."
    case .output: "A track's output is the master, a bus other than itself, or none; the master has no other."
    case .busIsFed:
      "A bus stays a bus while outputs or sends lead to it: lead them elsewhere first, or remove it with "
        + "'daw remove-track --reroute'."
    case .routingCycle: "No output, send or key of an effect leads back to where the signal came from."
    case .send: "A send leads from any track but the master to a bus other than itself."
    case .sendIsOnce: "A track has one send to a bus: change it with 'daw set-send'."
    case .sendLevel: "A send's level is -inf, or -60 … +12 dB."
    case .groupNameIsUnique: "No two groups have the same name; case is ignored."
    case .groupMember: "Any track but the master can be in a group."
    case .memberIsOnce: "A track is in a group once."
    case .laneOwner: "A lane belongs to one track, one send, one group or one effect."
    case .laneParameter:
      "A track has the parameters \(Self.names(LaneParameter.ofTracks)), a send \(Self.names(LaneParameter.ofSends)), a "
        + "group \(Self.names(LaneParameter.ofGroups)), an effect bypass and those of its kind."
    case .laneIsOnce: "A parameter has one lane: add points to the one that is there."
    case .pointPosition: "A point lies at or after the start of the timeline."
    case .pointIsOnce:
      "A lane has one point at a position: change the one that is there with 'daw set-point'. For a jump, let the point "
        + "before it hold."
    case .pointValue: "A point's value is in the range of the parameter."
    case .pointShape:
      "The shape to the next point is \(LaneShape.allCases.map(\.rawValue).joined(separator: ", ")); between the steps of "
        + "a mute or a bypass, hold."
    case .effectKind:
      "An effect is of the kind \(EffectKind.allCases.map(\.rawValue).joined(separator: ", ")), and stays of it."
    case .effectNumber: "The effects of one kind on a strip are numbered from 1."
    case .effectIsOnce: "No two effects of one kind on a strip have the same number."
    case .effectCount: "A strip has at most 32 effects."
    case .effectKey: "A compressor or a gate can be controlled by another strip than its own, but not by the master."
    case .effectLatency:
      "The effects on one way through the mix look ahead 2 s at most in all; those that are off do not count."
    case .effectSetting:
      "A setting of an effect is a number for one of its kind's parameters, in the parameter's range."
    case .effectSettingIsOnce: "An effect has one value of a parameter."
    case .flag: "A yes-or-no setting is 0 or 1."
    case .regionType: "A region is of type audio, with a file, or midi, without one."
    case .regionFitsTrack:
      "Audio regions lie on audio tracks, MIDI regions on MIDI tracks, none on a bus or the master."
    case .timeBase: "A MIDI region's time base is musical; an audio region's is absolute or musical."
    case .regionStart: "A region starts at or after the start of the timeline."
    case .regionDuration: "A region is longer than 0."
    case .regionWithinFile: "An audio region lies within its file: give an offset and a length that do."
    case .channelsFitFile:
      "Choose channels that the file has: --channel left|right|mix of a stereo file, --channels A,B of others."
    case .channelsFitTrack: "A stereo region does not fit a mono track: choose --channel left, right or mix."
    case .gain: "A gain is -inf, or -60 … +12 dB."
    case .fade:
      "An audio region's fade is 0 s or longer, of the shape "
        + "\(Fade.Shape.allCases.map(\.rawValue).joined(separator: ", ")), and less than its length is cut off."
    case .reversal: "Only an audio region is played reversed, or not (1 or 0)."
    case .regionCoversNotes: "A MIDI region covers its notes: shorten it with --cut-notes, or move the notes first."
    case .regionOfTake: "A region that is a part of a take lies on the take's track."
    case .noteStart: "A note starts at or after its region's start."
    case .noteDuration: "A note is longer than 0."
    case .noteWithinRegion: "A note lies within its region: lengthen the region, or shorten or move the note."
    case .pitch: "A pitch is 0 … 127, or a name from C-1 to G9."
    case .velocity: "A velocity is 0 … 127."
    case .channel: "A channel is 1 … 16 (0 … 15 in JSON)."
    case .eventStart: "An event lies at or after its region's start."
    case .eventWithinRegion: "An event lies within its region: lengthen the region, or move the event."
    case .eventKind:
      "An event is a controller, a pitch bend, a program, a channel or poly pressure, a system exclusive message or a text."
    case .eventValue:
      "Controllers, pressures and programs are 0 … 127, a bank is 0 … 16383, a pitch bend -8192 … 8191, a meta event's "
        + "type 0 … 127 but not 47, 81 or 88."
    case .eventBytes: "A system exclusive message begins with F0 or F7; it, and a text, has at most 1048576 bytes."
    case .regionCoversEvents:
      "A MIDI region covers its events: shorten it with --cut-notes, or move the events first."
    case .tempoPosition:
      "A change of tempo is after the start of the timeline; set the tempo at the start with set-project --tempo."
    case .meterBar:
      "A change of meter is at bar 2 … 262144; set the meter at bar 1 with set-project --time-signature."
    case .markIsOnce:
      "At one place there is one tempo, one meter and one key signature: change the one that is there, with set-tempo, "
        + "set-meter or set-key."
    case .keySignature: "A key signature has 0 … 7 sharps or flats (-7 … 7)."
    case .markPosition: "A marker or key signature lies at or after the start of the timeline."
    case .markerKind: "A marker is of the kind marker or cue."
    case .markerLength: "A marker's length is longer than 0, and in the clock of its start."
    case .mediaLocation: "A medium has a path, a SHA-256 of 64 hexadecimal digits, and a size."
    case .mediaIsOnce: "A project has each medium once: no two have the same bytes."
    case .audioFileFacts: "An audio file has at least one frame, one channel and a sample rate of at least 1 Hz."
    case .mediumIsUnused: "A medium can be removed only if nothing uses it."
    case .commentSubject: "A comment is about a track, a region, a recording or, if none is named, the project."
    case .commentThread:
      "A reply belongs to the first comment of its thread, which has the track, region, recording, position and resolution."
    case .commentAuthor: "An author has 1 … 255 characters."
    case .commentDate: "A date lies in the years 0001 … 9999."
    case .commentText: "A comment has 1 … 65536 characters, without spaces at its ends."
    case .retention:
      "Ages are 1 … 36500 days, the trash is kept 0 … 36500 days, the newest are 1 … 1000000 recordings, and of a thread "
        + "1 … 1000 comments."
    case .takeRating: "A take's rating is 0 (none) … 5."
    case .takeTags:
      "A take's tags are words of 1 … 64 letters a-z, digits, - and _, in all at most 1024 characters; capitals are made "
        + "small."
    case .recordingTitle:
      "A recording's title has at most 255 characters, none of them a control character, and no space at its ends."
    case .recordingNotes: "A recording's notes have 1 … 65536 characters, without spaces at their ends."
    case .recordingFacts:
      "Each frame of a recording's pass is in a segment or in a gap, once; numbers, names and states are such as 'daw "
        + "record' writes."
    case .transcriptText: "A transcript's text has 1 … 65536 characters, without spaces at its ends."
    case .transcriptFacts:
      "The numbers, names and states of transcripts and jobs are such as 'daw transcribe' and 'daw work' write."
    case .referenceExists: "A reference must name a row that exists."
    case .identifier: "An id is a positive integer of 63 bits that no other row of its kind has."
    }
  }

  private static func names(_ parameters: [LaneParameter]) -> String {
    parameters.map(\.name).joined(separator: ", ")
  }
}
