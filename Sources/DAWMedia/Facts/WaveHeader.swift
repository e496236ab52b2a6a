import DAWTime

/// The header of a PCM WAV: RIFF, RF64, BW64 or W64 with integer or float samples. Other files are left to libsndfile.
///
/// - SeeAlso: Multimedia Programming Interface and Data Specifications 1.0, IBM and Microsoft, 1991; EBU Tech 3306
///   (RF64); "Sony Wave64", Sony, 2006 (W64).
struct WaveHeader {
  /// "WAV", "RF64", "BW64" or "W64".
  let container: String
  let encoding: SampleEncoding
  let channelCount: Int
  let hertz: Int
  let dataOffset: Int64
  let length: Length

  /// The data's length by the header, compared to the file's. In bytes.
  enum Length: Equatable {
    case exact(Int64)
    case notWritten(available: Int64)
    case cutShort(promised: Int64, available: Int64)
  }

  /// - Returns: `nil` if the file is not a WAV, or needs libsndfile.
  static func read(from file: OpenAudioFile) throws(AudioFileError) -> WaveHeader? {
    guard let sound = try sound(of: file), let format = Format(sound.format) else { return nil }
    return WaveHeader(
      container: sound.container, encoding: format.encoding, channelCount: format.channelCount, hertz: format.hertz,
      dataOffset: sound.offset, length: sound.length)
  }

  /// Whether libsndfile misreads a file's samples. It ignores the bytes of a frame, by which Cool Edit's floats of 24
  /// bits, in four bytes, differ from integers; and in an extensible W64 it ignores the encoding.
  static func isMisread(_ file: OpenAudioFile) throws(AudioFileError) -> Bool {
    guard let sound = try sound(of: file), Format(sound.format) == nil, let tag = Format.tag(of: sound.format) else {
      return false
    }
    if sound.container == "W64", sound.format.uint16(at: 0) == Format.extensible { return true }
    let bytesPerSample = (Int(sound.format.uint16(at: 14)) + 7) / 8
    let bytesPerFrame = Int(sound.format.uint16(at: 12))
    // Some programs leave the field out.
    return [1, 3].contains(tag) && bytesPerFrame > 0
      && bytesPerFrame != Int(sound.format.uint16(at: 2)) * bytesPerSample
  }

  /// The chunks of sound of a WAV in any encoding.
  struct Sound {
    /// "WAV", "RF64", "BW64" or "W64".
    let container: String
    /// The `fmt ` chunk's first 40 bytes, or all.
    let format: [UInt8]
    /// Bytes from the file's start.
    let offset: Int64
    let length: Length
  }

  /// - Returns: `nil` if the file is not a WAV, or has no sound.
  static func sound(of file: OpenAudioFile) throws(AudioFileError) -> Sound? {
    let start = try file.bytes(at: 0, count: 12)
    guard start.count == 12 else { return nil }
    if start.text(at: 0) == "riff" { return try wave64(in: file, from: 0) }
    guard start.text(at: 8) == "WAVE" else { return nil }
    let container: String
    switch start.text(at: 0) {
    case "RIFF": container = "WAV"
    case "RF64": container = "RF64"
    case "BW64": container = "BW64"
    default: return nil
    }
    let isLarge = container != "WAV"
    var format: [UInt8]?
    var largeDataSize: UInt64?
    var offset: Int64 = 12
    for _ in 0..<maximumChunkCount {
      let head = try file.bytes(at: offset, count: 8)
      guard head.count == 8 else { return nil }
      let size = Int64(head.uint32(at: 4))
      let body = offset + 8
      switch head.text(at: 0) {
      case "ds64" where isLarge:
        let bytes = try file.bytes(at: body, count: 24)
        guard size >= 24, bytes.count == 24 else { return nil }
        largeDataSize = bytes.uint64(at: 8)
      case "fmt ": format = try file.bytes(at: body, count: Int(min(size, 40)))
      case "data":
        guard let format else { return nil }
        let promised = isLarge && size == unknownSize ? largeDataSize ?? UInt64(size) : UInt64(size)
        let fileSize = Int64(start.uint32(at: 4))
        let fileIsConsistent = fileSize + 8 == file.byteCount
        let available = file.byteCount - body
        let left = isLarge ? 0 : uncounted(behind: size, of: available, fileSize: fileSize, byteCount: file.byteCount)
        return Sound(
          container: container, format: format, offset: body,
          length: length(
            promised: Int64(clamping: promised) + left, available: available,
            isUnknown: isLarge ? promised == .max : unknownSizes.contains(size), emptyIsMeant: fileIsConsistent))
      default: break
      }
      // Chunks are padded to an even length; the pad byte is not counted.
      offset = body + size + size % 2
    }
    return nil
  }

  private static let unknownSize: Int64 = 0xffff_ffff
  /// What programs write where they do not know the size, as SoX does into a pipe.
  private static let unknownSizes: Set<Int64> = [unknownSize, 0x7fff_ffff, 0x7fff_f000]
  /// More than any program writes; bounds the time for a broken file.
  static let maximumChunkCount = 4_096

  /// The bytes of sound that a length of 32 bits does not count. Of a length above 4 GiB ffmpeg and others write the
  /// lower 32 bits, and of the file's length likewise, or that it is unknown.
  private static func uncounted(
    behind size: Int64, of available: Int64, fileSize: Int64, byteCount: Int64
  ) -> Int64 {
    guard available - size > unknownSize, fileSize == unknownSize || (byteCount - 8 - fileSize) & unknownSize == 0
    else { return 0 }
    return (available - size) & ~unknownSize
  }

  private static func length(promised: Int64, available: Int64, isUnknown: Bool, emptyIsMeant: Bool) -> Length {
    if isUnknown || (promised == 0 && available > 0 && !emptyIsMeant) { return .notWritten(available: available) }
    return promised <= available ? .exact(promised) : .cutShort(promised: promised, available: available)
  }
}

extension WaveHeader {
  /// The chunks of sound of a W64. A chunk has a GUID, which begins with the name of a WAV's, and a size that includes
  /// its header, and begins at a multiple of 8 bytes.
  /// - Parameter start: bytes before the header, those of a tag.
  /// - Returns: `nil` if the file is not a W64, or has no sound.
  static func wave64(in file: OpenAudioFile, from start: Int64) throws(AudioFileError) -> Sound? {
    let head = try file.bytes(at: start, count: 40)
    guard head.count == 40, Array(head[0..<16]) == Array("riff".utf8) + riffTail,
      Array(head[24..<40]) == Array("wave".utf8) + chunkTail
    else { return nil }
    let byteCount = file.byteCount - start
    let fileIsConsistent = head.uint64(at: 16) == UInt64(clamping: byteCount)
    var format: [UInt8]?
    var offset = start + 40
    for _ in 0..<maximumChunkCount {
      let head = try file.bytes(at: offset, count: 24)
      guard head.count == 24 else { return nil }
      let body = offset + 24
      let isKnown = Array(head[4..<16]) == chunkTail
      let stated = head.uint64(at: 16)
      if isKnown, head.text(at: 0) == "data" {
        guard let format else { return nil }
        // Of a stream the size is not known: it is the greatest, or -1.
        return Sound(
          container: "W64", format: format, offset: body,
          length: length(
            promised: max(0, Int64(clamping: stated) - 24), available: file.byteCount - body,
            isUnknown: stated >= UInt64(Int64.max), emptyIsMeant: fileIsConsistent))
      }
      guard let size = Int64(exactly: stated), size >= 24, size < byteCount else { return nil }
      if isKnown, head.text(at: 0) == "fmt " { format = try file.bytes(at: body, count: Int(min(size - 24, 40))) }
      offset += (size + 7) / 8 * 8
    }
    return nil
  }

  /// The GUID of the file, and of what is in it, after the four letters.
  private static let riffTail: [UInt8] = [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0, 0]
  private static let chunkTail: [UInt8] = [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a]

  /// The `fmt ` chunk of PCM samples.
  private struct Format {
    let encoding: SampleEncoding
    let channelCount: Int
    let hertz: Int

    init?(_ bytes: [UInt8]) {
      guard let tag = Self.tag(of: bytes) else { return nil }
      if bytes.uint16(at: 0) == Self.extensible, Array(bytes[26..<40]) != Self.subformatTail { return nil }
      switch (tag, bytes.uint16(at: 14)) {
      case (1, 8): encoding = .uint8
      case (1, 16): encoding = .int16
      case (1, 24): encoding = .int24
      case (1, 32): encoding = .int32
      case (3, 32): encoding = .float32
      case (3, 64): encoding = .float64
      default: return nil
      }
      channelCount = Int(bytes.uint16(at: 2))
      hertz = Int(bytes.uint32(at: 4))
      guard Int(bytes.uint16(at: 12)) == channelCount * encoding.bytesPerSample else { return nil }
    }

    /// WAVE_FORMAT_EXTENSIBLE: the encoding is in a GUID.
    static let extensible: UInt16 = 0xfffe

    /// The encoding, also of an extensible format, where its GUID begins with it; `nil` if the chunk is too short.
    static func tag(of bytes: [UInt8]) -> UInt16? {
      guard bytes.count >= 16 else { return nil }
      let tag = bytes.uint16(at: 0)
      guard tag == extensible else { return tag }
      return bytes.count >= 40 ? bytes.uint16(at: 24) : nil
    }

    /// KSDATAFORMAT_SUBTYPE_PCM and …_IEEE_FLOAT after the two bytes of the tag.
    private static let subformatTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
  }
}

extension AudioFileFacts {
  init(_ header: WaveHeader, path: String) throws(AudioFileError) {
    let layout = PCMLayout(
      dataOffset: header.dataOffset, encoding: header.encoding, channelCount: header.channelCount)
    // A header with 0 channels has 0 bytes per frame; it is refused below.
    let bytesPerFrame = Int64(max(1, layout.bytesPerFrame))
    let frames: Int64
    var warnings: [AudioFileWarning] = []
    switch header.length {
    case .exact(let bytes): frames = bytes / bytesPerFrame
    case .notWritten(let bytes):
      frames = bytes / bytesPerFrame
      warnings = [.lengthNotWritten(found: FrameCount(frames: frames))]
    case .cutShort(let promised, let bytes):
      frames = bytes / bytesPerFrame
      warnings = [
        .shorterThanPromised(
          promised: FrameCount(frames: promised / bytesPerFrame), found: FrameCount(frames: frames))
      ]
    }
    try self.init(
      path: path, frames: frames, hertz: header.hertz, channelCount: header.channelCount,
      format: "\(header.container), \(header.encoding)", pcmLayout: layout, seeksExactly: true, warnings: warnings)
  }
}
