import DAWTime

/// The header of a PCM WAV: RIFF, RF64 or BW64 with integer or float samples. Other files are left to libsndfile.
///
/// - SeeAlso: Multimedia Programming Interface and Data Specifications 1.0, IBM and Microsoft, 1991; EBU Tech 3306
///   (RF64).
struct WaveHeader {
  /// "WAV", "RF64" or "BW64".
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

  /// The chunks of sound of a WAV in any encoding.
  struct Sound {
    /// "WAV", "RF64" or "BW64".
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
    guard start.count == 12, start.text(at: 8) == "WAVE" else { return nil }
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

  /// What a header with 32 bits for a length cannot count, in bytes: ffmpeg and others write what is left of a length
  /// above 4 GiB, and of the file's, or say that the file's is unknown.
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
  /// The `fmt ` chunk of PCM samples.
  private struct Format {
    let encoding: SampleEncoding
    let channelCount: Int
    let hertz: Int

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 16 else { return nil }
      var tag = bytes.uint16(at: 0)
      if tag == 0xfffe {
        guard bytes.count >= 40, Array(bytes[26..<40]) == Self.subformatTail else { return nil }
        tag = bytes.uint16(at: 24)
      }
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
