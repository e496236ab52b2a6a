/// A tempo in quarter notes per minute (BPM), as a multiple of 10⁻⁹ BPM.
///
/// The resolution is finer than the microsecond per quarter note of MIDI files, over the whole range.
public struct Tempo: Hashable, Comparable, Sendable, Codable {
  /// Billionths of a quarter note per minute: 120 BPM is 120,000,000,000.
  public var nanoBPM: Int64

  public init(nanoBPM: Int64) { self.nanoBPM = nanoBPM }
  public init(bpm: Int64) { nanoBPM = bpm.clampedProduct(Self.nanoPerBPM) }

  public static let nanoPerBPM: Int64 = 1_000_000_000
  /// The range of a project's tempos: 5 … 999 BPM.
  public static let accepted = Tempo(bpm: 5)...Tempo(bpm: 999)

  /// For display and for JSON.
  public var bpm: Double { Double(nanoBPM) / Double(Self.nanoPerBPM) }

  public static func < (a: Self, b: Self) -> Bool { a.nanoBPM < b.nanoBPM }
}
