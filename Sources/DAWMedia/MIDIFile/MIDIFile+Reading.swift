/// What came of reading a MIDI file.
public struct MIDIFileReading: Equatable, Sendable {
  public var file: MIDIFile
  /// What was not as it should be. Those that are grave are there only after a lenient reading; what they concern was left
  /// out.
  public var flaws: MIDIFileFlaws
}

extension MIDIFile {
  /// Reads a Standard MIDI File, bare or wrapped in RIFF (RMID).
  /// - Parameter isLenient: takes what can be read, and lists the rest, where a broken file would be refused.
  /// - Throws: `MIDIFileError`; `.flaw` says the byte, what was expected and what was found.
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
      throw .flaw(path: path, error)
    }
  }

  /// The same, of bytes in memory.
  public static func read(_ bytes: [UInt8], isLenient: Bool = false) throws(MIDIFileFlaw) -> MIDIFileReading {
    var reader = MIDIFileReader(bytes: bytes, isLenient: isLenient)
    let file = try reader.read()
    return MIDIFileReading(file: file, flaws: reader.flaws)
  }

  /// Whether a file begins as a Standard MIDI File does, bare or wrapped. False where it cannot be read.
  public static func isMIDIFile(path: String) -> Bool {
    guard let file = try? OpenAudioFile(path: path), let start = try? file.bytes(at: 0, count: 12) else { return false }
    return start.starts(with: Array("MThd".utf8))
      || start.starts(with: Array("RIFF".utf8)) && start.dropFirst(8).starts(with: Array("RMID".utf8))
  }
}
