import DAWTime

public enum RegionType: String, CaseIterable, Codable, Sendable {
  case audio, midi
}

/// A span of time on a track: over an audio file, or holding notes.
public struct Region: Hashable, Sendable, Codable, Identifiable {
  public var id: RegionID
  public var track: TrackID
  public var name: Name
  /// At or after the start of the timeline; in ticks for MIDI, in either clock for audio.
  public var start: TimelinePosition
  /// Longer than 0.
  public var content: Content
  /// `nil`: the track's.
  public var color: Color?
  public var gain: Level
  public var isMuted: Bool

  public enum Content: Hashable, Sendable, Codable {
    case audio(AudioSpan)
    /// The length; the notes are rows of their own.
    case midi(TickCount)
  }

  public init(
    id: RegionID, track: TrackID, name: Name = Name(literal: "Region"), start: TimelinePosition, content: Content,
    color: Color? = nil, gain: Level = .unity, isMuted: Bool = false
  ) {
    self.id = id
    self.track = track
    self.name = name
    self.start = start
    self.content = content
    self.color = color
    self.gain = gain
    self.isMuted = isMuted
  }

  public var regionType: RegionType {
    switch content {
    case .audio: .audio
    case .midi: .midi
    }
  }

  public var duration: TimelineDistance {
    switch content {
    case .audio(let span): .absolute(span.duration)
    case .midi(let length): .musical(length)
    }
  }

  public var audio: AudioSpan? {
    if case .audio(let span) = content { span } else { nil }
  }
}

extension Region: Entity {
  public static let kindCode: UInt8 = 2
  public static let noun = "region"
}

/// A piece of an audio file. Always in flicks, so that no tempo change pushes it out of the file.
public struct AudioSpan: Hashable, Sendable, Codable {
  public var file: AudioFileID
  /// From the file's start.
  public var offset: FlickCount
  public var duration: FlickCount
  public var channels: ChannelSelection

  public init(file: AudioFileID, offset: FlickCount = .zero, duration: FlickCount, channels: ChannelSelection = .all) {
    self.file = file
    self.offset = offset
    self.duration = duration
    self.channels = channels
  }
}

extension Region {
  /// Where it begins on the absolute timeline.
  public func startFlicks(in map: TempoMap) -> FlickPosition { map.flicks(at: start) }

  /// The first place behind it on the absolute timeline.
  public func endFlicks(in map: TempoMap) -> FlickPosition {
    switch (start, content) {
    case (.musical(let ticks), .midi(let length)): map.flicks(at: ticks + length)
    case (_, .audio(let span)): startFlicks(in: map) + span.duration
    case (.absolute(let flicks), .midi(let length)): map.flicks(at: map.ticks(at: flicks) + length)
    }
  }
}
