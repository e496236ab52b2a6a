/// A Standard MIDI File as a value: what its bytes say, without a judgement of what that means for a song.
///
/// - SeeAlso: MIDI Manufacturers Association, Standard MIDI Files 1.0 (RP-001) and its addenda; `MIDIFile.read(path:isLenient:)`,
///   `MIDIFile.encoded()`.
public struct MIDIFile: Equatable, Sendable {
  public var format: Format
  public var division: MIDIFileDivision
  /// In format 0 one, which holds all channels.
  public var tracks: [MIDIFileTrack]

  /// How the tracks belong together.
  public enum Format: Int, Sendable, CaseIterable {
    /// One track.
    case single = 0
    /// Tracks that play at the same time; the first holds tempo and meter.
    case simultaneous = 1
    /// Each track a sequence of its own, with its own tempo and meter.
    case independent = 2
  }

  public init(format: Format, division: MIDIFileDivision, tracks: [MIDIFileTrack] = []) {
    self.format = format
    self.division = division
    self.tracks = tracks
  }

  /// As many as the header can count.
  public static let maximumTrackCount = 65_535
  /// Bytes. A longer file is refused: a reader of it would need several times its length in memory.
  public static let maximumByteCount = 1 << 30
}
