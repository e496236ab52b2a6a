import DAWMedia
import DAWModel
import DAWTime

/// Options of a MIDI import.
public struct MIDIImportRequest: Sendable {
  /// Absolute, or relative to the current folder.
  public var path: String
  /// The timeline position of the file's tick 0.
  public var start = TickPosition.zero
  /// Puts all of it on one track: the one that is called so, or a new one of that name. `nil`: each of the file's on
  /// one of its own.
  public var track: String?
  /// Takes the file's tempo, meters and key signatures in place of the project's from `start` on; they are taken in any
  /// case where the project has no region yet, and its own map is that of a new project.
  public var takesTempoMap = false
  /// Imports the readable part of a damaged file.
  public var isLenient = false

  public init(path: String) { self.path = path }
}

/// The result of a MIDI import.
public struct ImportedMIDIFile: Sendable {
  public var path: String
  /// 0, 1 or 2.
  public var format: Int
  /// In words.
  public var division: String
  public var tracks: [Track] = []
  public var regions: [Region] = []
  public var noteCount = 0
  public var eventCount = 0
  public var markerCount = 0
  /// Whether its tempo, meters and key signatures were taken.
  public var hasTempoMap = false
  /// Warnings and omissions, as sentences.
  public var warnings: [String] = []
}

/// Whether a file begins as a Standard MIDI File does, bare or wrapped in RIFF, or at least is named as one.
public func isMIDIFile(_ path: String) -> Bool {
  MIDIFile.isMIDIFile(path: path) || [".mid", ".midi", ".kar", ".rmi"].contains { path.lowercased().hasSuffix($0) }
}
