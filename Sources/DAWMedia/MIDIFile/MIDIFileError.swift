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
