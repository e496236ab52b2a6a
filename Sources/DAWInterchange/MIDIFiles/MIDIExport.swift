import DAWModel
import DAWTime

/// Options of a MIDI export.
public struct MIDIExportRequest: Sendable {
  /// Absolute, or relative to the current folder; `nil` for standard output.
  public var path: String?
  /// Whether an existing file is replaced.
  public var overwrites = false
  /// 0: all on one track; 1: a track each.
  public var format = 1
  /// Ticks per quarter note; `nil`: the fewest that are exact for every position, at least 480.
  public var division: Int?
  /// Names of tracks; empty: all MIDI tracks.
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
  /// What the file cannot represent, as sentences.
  public var warnings: [String] = []
}
