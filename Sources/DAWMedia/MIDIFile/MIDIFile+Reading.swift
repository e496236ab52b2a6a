import DAWErrors

/// A MIDI file and the flaws found in it.
public struct MIDIFileReading: Equatable, Sendable {
  public var file: MIDIFile
  /// Deviations from the standard. Serious ones only occur in a lenient reading, which skips what they affect.
  public var flaws: MIDIFileFlaws
}

extension MIDIFile {
  /// Reads a Standard MIDI File, bare or wrapped in RIFF (RMID).
  /// - Parameter isLenient: whether to skip what cannot be read instead of refusing the file.
  /// - Throws: `MIDIFileError`; `.flaw` has the byte offset, what was expected and what was found.
  public static func read(path: String, isLenient: Bool = false) throws(MIDIFileError) -> MIDIFileReading {
    let bytes: [UInt8]
    var byteCount: Int64 = 0
    do throws(AudioFileError) {
      let file = try OpenAudioFile(path: path)
      byteCount = file.byteCount
      bytes = byteCount <= maximumByteCount ? try file.bytes(at: 0, count: Int(byteCount)) : []
    } catch {
      throw .file(error)
    }
    guard byteCount <= maximumByteCount else { throw .tooLarge(path: path, byteCount: byteCount) }
    do {
      return try read(bytes, isLenient: isLenient)
    } catch {
      throw .flaw(path: path, error, isReadableLeniently: !isLenient && hasReadableTrack(bytes))
    }
  }

  /// Reads a MIDI file in memory.
  public static func read(_ bytes: [UInt8], isLenient: Bool = false) throws(MIDIFileFlaw) -> MIDIFileReading {
    var reader = MIDIFileReader(bytes: bytes, isLenient: isLenient)
    let file = try reader.read()
    return MIDIFileReading(file: file, flaws: reader.flaws)
  }

  /// Whether a lenient reading finds a track.
  private static func hasReadableTrack(_ bytes: [UInt8]) -> Bool {
    (try? read(bytes, isLenient: true))?.file.tracks.isEmpty == false
  }

  /// Whether a file has the header of a Standard MIDI File, bare or in RIFF. `false` if it cannot be read.
  public static func isMIDIFile(path: String) -> Bool {
    guard let file = try? OpenAudioFile(path: path), let start = try? file.bytes(at: 0, count: 12) else { return false }
    return start.starts(with: Array("MThd".utf8))
      || start.starts(with: Array("RIFF".utf8)) && start.dropFirst(8).starts(with: Array("RMID".utf8))
  }
}

// MARK: Errors

/// Why a MIDI file cannot be read.
public enum MIDIFileError: Error, Equatable, Sendable {
  /// The file cannot be read at all.
  case file(AudioFileError)
  case tooLarge(path: String, byteCount: Int64)
  /// - Parameter isReadableLeniently: whether a lenient reading, which this was not, finds a track.
  case flaw(path: String, MIDIFileFlaw, isReadableLeniently: Bool = false)
}

extension MIDIFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .tooLarge(let path, let count):
      "'\(path)' has \(count) bytes; MIDI files of up to \(MIDIFile.maximumByteCount) bytes can be read."
    case .flaw(let path, let flaw, _): "'\(path)' is not a MIDI file that can be read whole. \(flaw)"
    }
  }
}

extension MIDIFileError: DAWError {
  public var kind: ErrorKind { if case .file(let error) = self { error.kind } else { .invalid } }
  public var code: String { if case .file(let error) = self { error.code } else { "invalidMIDIFile" } }
  public var message: String { if case .flaw = self { "\(self) Nothing was changed." } else { description } }
  public var hint: String? {
    guard case .flaw(_, _, isReadableLeniently: true) = self else { return nil }
    return "--lenient takes what can be read, and lists the rest."
  }
}
