/// The contents of a Standard MIDI File, not yet interpreted as music.
///
/// - SeeAlso: MIDI Manufacturers Association, Standard MIDI Files 1.0 (RP-001) and its addenda;
///   `MIDIFile.read(path:isLenient:)`, `MIDIFile.encoded()`.
public struct MIDIFile: Equatable, Sendable {
  public var format: Format
  public var division: MIDIFileDivision
  /// One in format 0, for all channels.
  public var tracks: [MIDIFileTrack]

  /// The relation of the tracks.
  public enum Format: Int, Sendable, CaseIterable {
    /// One track.
    case single = 0
    /// Simultaneous tracks; the first one has tempo and meter.
    case simultaneous = 1
    /// Independent sequences, each with its own tempo and meter.
    case independent = 2
  }

  public init(format: Format, division: MIDIFileDivision, tracks: [MIDIFileTrack] = []) {
    self.format = format
    self.division = division
    self.tracks = tracks
  }

  /// The limit of the header's field.
  public static let maximumTrackCount = 65_535
  /// Bytes. A longer file is refused, because reading it needs several times its length in memory.
  public static let maximumByteCount = 1 << 30
}
