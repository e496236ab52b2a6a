/// The number of frames that a file's header promises, where it counts frames or bytes. libsndfile tells only of those
/// that are there.
///
/// - SeeAlso: "Audio Interchange File Format" 1.3, Apple, 1989, and its AIFF-C of 1991; `audio.h` of SunOS (AU); "Core
///   Audio Format Specification" 1.0, Apple, 2006; RFC 9639, section 8.2 (FLAC).
enum PromisedFrames {
  /// Reads the headers of chunks, and nothing of the sound.
  /// - Parameters:
  ///   - start: bytes before the header, those of a tag.
  ///   - found: the frames that can be read.
  /// - Returns: `nil` if the header does not count, or the file is as long as it says; for a compressed file that is
  ///   cut short, an estimate by its bytes.
  static func count(in file: OpenAudioFile, from start: Int64, found: Int64) throws(AudioFileError) -> Int64? {
    let head = try file.bytes(at: start, count: 40)
    guard head.count == 40 else { return nil }
    let sound: Sound?
    switch head.text(at: 0) {
    case "fLaC": return Int64(head[21] & 0xf) << 32 | Int64(head.bigEndian(at: 22, 4))
    case "RIFF", "RF64", "BW64": sound = wave(try WaveHeader.sound(of: file))
    case "caff": sound = try caf(file, from: start)
    case "FORM", "RIFX": sound = try iff(file, from: start)
    case "riff": sound = wave(try WaveHeader.wave64(in: file, from: start))
    case ".snd", "dns.": sound = au(head, from: start)
    default: sound = nil
    }
    return sound?.frames(in: file, found: found)
  }

  /// A file's sound by its header.
  private struct Sound {
    /// Bytes from the file's start.
    let offset: Int64
    let byteCount: Int64
    let block: Block
    /// `nil` if they follow from the bytes.
    var frames: Int64?

    /// - Returns: the promised frames, if the file is shorter than they are.
    func frames(in file: OpenAudioFile, found: Int64) -> Int64? {
      let available = file.byteCount - offset
      guard available > 0, byteCount > available else { return nil }
      if let frames { return frames }
      if block.isFrame { return byteCount / block.byteCount }
      // Of as many frames each. Less than 2^62, so that it fits.
      return Int64(min(Double(found) * (block.count(in: byteCount) / block.count(in: available)), 0x1p62))
    }
  }

  /// The bytes that are coded together.
  private struct Block {
    let byteCount: Int64
    /// Whether it is one frame, and not a packet of more.
    let isFrame: Bool

    /// One of compressed sound, where the header does not say how long it is.
    static let unknown = Block(1, isFrame: false)

    init(_ byteCount: Int64, isFrame: Bool) {
      self.byteCount = max(1, byteCount)
      self.isFrame = isFrame
    }

    /// By the tag and the length of a block in a `fmt ` chunk: PCM, float, A-law and µ-law have one frame.
    init(tag: UInt16, byteCount: UInt16) { self.init(Int64(byteCount), isFrame: [1, 3, 6, 7].contains(tag)) }

    /// - Parameter format: at least 16 bytes of a `fmt ` chunk.
    init(_ format: [UInt8]) {
      let isExtensible = format.uint16(at: 0) == 0xfffe && format.count >= 26
      self.init(tag: format.uint16(at: isExtensible ? 24 : 0), byteCount: format.uint16(at: 12))
    }

    /// Blocks in these bytes, an incomplete one too.
    func count(in bytes: Int64) -> Double { (Double(bytes) / Double(byteCount)).rounded(.up) }
  }
}

// MARK: Formats

extension PromisedFrames {
  private static func wave(_ sound: WaveHeader.Sound?) -> Sound? {
    guard let sound, case .cutShort(let promised, _) = sound.length, sound.format.count >= 16 else { return nil }
    return Sound(offset: sound.offset, byteCount: promised, block: Block(sound.format))
  }

  /// AIFF, AIFF-C, and WAV with the most significant byte first.
  private static func iff(_ file: OpenAudioFile, from start: Int64) throws(AudioFileError) -> Sound? {
    var frames: Int64?
    var block = Block.unknown
    var offset = start + 12
    for _ in 0..<WaveHeader.maximumChunkCount {
      let head = try file.bytes(at: offset, count: 8)
      guard head.count == 8 else { break }
      let size = Int64(head.bigEndian(at: 4, 4))
      let body = offset + 8
      switch head.text(at: 0) {
      case "COMM":
        let common = try file.bytes(at: body, count: 22)
        guard common.count == 22 else { return nil }
        // Of a compressed file these may be packets.
        if size < 22 || plainCompressions.contains(common.text(at: 18)) { frames = Int64(common.bigEndian(at: 2, 4)) }
      case "fmt ":
        let format = try file.bytes(at: body, count: 16)
        guard format.count == 16 else { return nil }
        block = Block(tag: UInt16(format.bigEndian(at: 0, 2)), byteCount: UInt16(format.bigEndian(at: 12, 2)))
      // Before the samples come an offset and the length of a block.
      // Of a stream the length is not known: as ffmpeg and SoX write it.
      case "SSND" where size == 0xffff_ffff || size >= 0x7f00_0000 && size > file.byteCount: return nil
      case "SSND": return Sound(offset: body + 8, byteCount: size - 8, block: .unknown, frames: frames)
      // Of a stream the length is not known.
      case "data": return size == 0xffff_ffff ? nil : Sound(offset: body, byteCount: size, block: block)
      default: break
      }
      offset = body + size + size % 2
    }
    return nil
  }

  /// The compression types of AIFF-C that mean uncompressed samples.
  private static let plainCompressions: Set = [
    "NONE", "sowt", "twos", "raw ", "in24", "in32", "42ni", "23ni", "fl32", "FL32", "fl64", "FL64", "ulaw", "ULAW",
    "alaw", "ALAW",
  ]

  private static func caf(_ file: OpenAudioFile, from start: Int64) throws(AudioFileError) -> Sound? {
    var block = Block.unknown
    var offset = start + 8
    for _ in 0..<WaveHeader.maximumChunkCount {
      let head = try file.bytes(at: offset, count: 12)
      guard head.count == 12 else { return nil }
      // Of a stream the length is not known: it is -1.
      let size = Int64(head.bigEndian(at: 4, 8))
      guard size >= 0 else { return nil }
      let body = offset + 12
      switch head.text(at: 0) {
      case "desc":
        let format = try file.bytes(at: body, count: 32)
        guard format.count == 32 else { return nil }
        // The bytes of a packet, 0 if they vary, and its frames.
        let byteCount = format.bigEndian(at: 16, 4)
        block = Block(Int64(byteCount), isFrame: byteCount > 0 && format.bigEndian(at: 20, 4) == 1)
      // The samples come after the number of an edit.
      case "data": return Sound(offset: body + 4, byteCount: size - 4, block: block)
      default: break
      }
      guard size < file.byteCount else { return nil }
      offset = body + size
    }
    return nil
  }

  /// - Parameter head: at least 24 bytes. Some machines write the least significant byte first.
  private static func au(_ head: [UInt8], from start: Int64) -> Sound? {
    let numbers = (1..<6).map {
      head[0] == 0x2e ? Int64(head.bigEndian(at: 4 * $0, 4)) : Int64(head.uint32(at: 4 * $0))
    }
    let (dataOffset, byteCount, encoding, channelCount) = (numbers[0], numbers[1], numbers[2], numbers[4])
    // Of a stream the length is not known.
    guard byteCount != 0xffff_ffff else { return nil }
    let block = auBytesPerSample[encoding].map { Block($0 * channelCount, isFrame: true) }
    return Sound(offset: start + dataOffset, byteCount: byteCount, block: block ?? .unknown)
  }

  /// µ-law, PCM of 8, 16, 24 and 32 bits, float, double, A-law.
  private static let auBytesPerSample: [Int64: Int64] = [1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1]
}
