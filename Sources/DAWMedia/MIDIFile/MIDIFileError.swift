import DAWErrors

/// Why a MIDI file cannot be read. Nothing has been changed by the attempt.
public enum MIDIFileError: Error, Equatable, Sendable {
  /// The file itself, whatever is in it.
  case file(AudioFileError)
  case tooLarge(path: String, byteCount: Int64)
  case flaw(path: String, MIDIFileFlaw)
}

extension MIDIFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .tooLarge(let path, let count):
      "'\(path)' has \(count) bytes; MIDI files of up to \(MIDIFile.maximumByteCount) bytes can be read."
    case .flaw(let path, let flaw): "'\(path)' is not a MIDI file that can be read whole. \(flaw)"
    }
  }
}

extension MIDIFileError: DAWError {
  public var kind: ErrorKind { if case .file(let error) = self { error.kind } else { .invalid } }
  public var code: String { if case .file(let error) = self { error.code } else { "badMIDIFile" } }
  public var message: String { if case .flaw = self { "\(self) Nothing was changed." } else { description } }
  public var hint: String? {
    guard case .flaw(_, let flaw) = self, flaw.problem != .noTrack else { return nil }
    return "--lenient takes what can be read, and lists the rest."
  }
}
