import DAWModel
import DAWTime

/// What of a project goes into a MIDI file.
public struct MIDIExportRequest: Sendable {
  /// Absolute, or relative to the current folder; `nil` for standard output.
  public var path: String?
  /// Whether a file of that name makes way.
  public var overwrites = false
  /// 0: all on one track; 1: a track each.
  public var format = 1
  /// Ticks to the quarter note; `nil`: as few as say every place exactly, at least 480.
  public var division: Int?
  /// As they are called; all MIDI tracks where none is named.
  public var tracks: [String] = []
  /// On the timeline.
  public var from: TickPosition?
  public var to: TickPosition?

  public init() {}
}

/// A MIDI file that was written.
public struct ExportedMIDIFile: Sendable {
  public var path: String?
  /// For standard output.
  public var bytes: [UInt8] = []
  public var format: Int
  public var division: Int
  /// The names of the tracks in it.
  public var tracks: [String] = []
  public var noteCount = 0
  public var eventCount = 0
  public var tempoCount = 0
  public var meterCount = 0
  public var markerCount = 0
  /// What the file cannot say, in sentences.
  public var warnings: [String] = []
}
