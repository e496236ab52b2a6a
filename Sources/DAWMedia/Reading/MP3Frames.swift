/// The frames of an MP3 file, by their headers.
///
/// - SeeAlso: ISO/IEC 11172-3, section 2.4.1.3, and 13818-3 (the header); LAME's "Mp3 info Tag rev 1", and Konrad
///   Windszus, "MPEG Audio Frame Header" (the info frames Xing and VBRI).
enum MP3Frames {
  /// The length of a file by its frames' headers, from the first frame to the end; tags and other data are skipped.
  struct Extent: Equatable {
    /// Samples of all whole frames except info frames.
    var samples: Int64 = 0
    /// Whether the file ends within a frame.
    var endsWithinFrame = false
    /// Samples that a decoder trims by the first info frame: encoder delay and padding.
    var trimmedSamples: Int64 = 0
    /// Samples of all frames by the first info frame, the trimmed ones included; `nil` if there is none that counts.
    var promisedSamples: Int64?
    /// Samples by which an info frame may miscount: some encoders count it too, or a frame more at the end.
    var mostMiscounted: Int64 = 0
  }

  /// Whether there are frames at this offset.
  static func begin(in window: inout FileWindow, at offset: Int64) throws(AudioFileError) -> Bool {
    let bytes = try window.bytes(at: offset, count: longestInfo)
    guard let header = Header(bytes) else { return false }
    // Of a file that is cut short there may be nothing else.
    if header.infoFrame(in: bytes) != nil { return true }
    return try isFrame(header, at: offset, &window)
  }

  /// A frame's header and the info behind it, at most. Bytes.
  private static let longestInfo = 256

  /// Walks through the frames.
  /// - Parameter offset: of the first frame.
  static func extent(in window: inout FileWindow, from offset: Int64) throws(AudioFileError) -> Extent {
    var extent = Extent()
    var hasInfo = false
    var offset = offset
    while true {
      let bytes = try window.bytes(at: offset, count: longestInfo)
      guard let header = Header(bytes) else {
        guard let next = try placeOfNextFrame(in: &window, bytes, at: offset) else { return extent }
        offset = next
        continue
      }
      let info = header.infoFrame(in: bytes)
      if let info, !hasInfo, extent.samples == 0 {
        extent.trimmedSamples = info.trimmedSamples
        extent.promisedSamples = info.frameCount.map { $0 * Int64(header.samples) }
        extent.mostMiscounted = 2 * Int64(header.samples)
      }
      hasInfo = hasInfo || info != nil
      offset += Int64(header.byteCount)
      extent.endsWithinFrame = offset > window.fileByteCount
      if info?.isDecoded != false, !extent.endsWithinFrame { extent.samples += Int64(header.samples) }
    }
  }

  /// The offset of the next frame or tag, after data that is not a frame; a tag is skipped by its length.
  private static func placeOfNextFrame(
    in window: inout FileWindow, _ bytes: [UInt8], at offset: Int64
  ) throws(AudioFileError) -> Int64? {
    if let count = Tag.byteCount(bytes) { return offset + count }
    var place = offset + 1
    while let next = try window.firstPlace(from: place, where: { $0.first == 0xff || $0.starts(with: Tag.id3) }) {
      if ID3Tag.byteCount(try window.bytes(at: next, count: 10)) != nil { return next }
      if try begin(in: &window, at: next) { return next }
      place = next + 1
    }
    return nil
  }

  /// Whether two more frames of the same kind follow, so that it is not a match by chance.
  private static func isFrame(
    _ header: Header, at offset: Int64, _ window: inout FileWindow
  ) throws(AudioFileError) -> Bool {
    var offset = offset
    var header = header
    for _ in 0..<2 {
      offset += Int64(header.byteCount)
      guard let next = Header(try window.bytes(at: offset, count: 4)), next.kind == header.kind else { return false }
      header = next
    }
    return true
  }
}

extension MP3Frames {
  /// The four-byte header of a layer III frame.
  private struct Header {
    /// MPEG version and sampling rate: the same for all frames of a stream.
    let kind: UInt8
    /// The frame's length, header included.
    let byteCount: Int
    let samples: Int
    private let isFirstVersion: Bool
    private let isMono: Bool

    /// - Returns: `nil` if it is not a header, or of a frame without a length ("free format").
    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] & 0xe6 == 0xe2 else { return nil }
      let version = Int(bytes[1] >> 3 & 3)
      let bitrateIndex = Int(bytes[2] >> 4)
      let rateIndex = Int(bytes[2] >> 2 & 3)
      guard version != 1, (1...14).contains(bitrateIndex), rateIndex < 3 else { return nil }
      isFirstVersion = version == 3
      isMono = bytes[3] >> 6 == 3
      kind = bytes[1] & 0x18 | bytes[2] >> 2 & 3
      samples = isFirstVersion ? 1_152 : 576
      // MPEG 2 halves the rates, 2.5 quarters them.
      let hertz = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
      let kilobits = (isFirstVersion ? Self.kilobitsOfFirstVersion : Self.kilobitsOfSecondVersion)[bitrateIndex - 1]
      byteCount = samples / 8 * kilobits * 1_000 / hertz + Int(bytes[2] >> 1 & 1)
    }

    private static let kilobitsOfFirstVersion = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let kilobitsOfSecondVersion = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

    /// For an info frame, which describes the stream; `nil` for other frames.
    func infoFrame(in bytes: [UInt8]) -> InfoFrame? {
      let sideInformation = isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
      // A checksum may come before the side information; not every encoder leaves room for it.
      for start in [4 + sideInformation, 6 + sideInformation] where bytes.count >= start + 12 {
        if ["Xing", "Info"].contains(bytes.text(at: start)) { return InfoFrame(xing: bytes, at: start) }
      }
      return bytes.count >= 54 && bytes.text(at: 36) == "VBRI" ? InfoFrame(vbri: bytes, at: 36) : nil
    }
  }

  /// What an info frame says of the stream.
  private struct InfoFrame {
    /// Frames of sound; `nil` if they are not counted.
    let frameCount: Int64?
    /// Samples that a decoder trims, at most: encoder delay and padding.
    let trimmedSamples: Int64
    /// Whether libmpg123 takes the info frame for sound.
    let isDecoded: Bool

    /// Xing's, with LAME's extension if it is there.
    init(xing bytes: [UInt8], at start: Int) {
      let flags = bytes[start + 7]
      frameCount = flags & 1 != 0 ? Int64(bytes.bigEndian(at: start + 8, 4)) : nil
      isDecoded = false
      let fields = [(1, 4), (2, 4), (4, 100), (8, 4)].reduce(0) { $0 + (Int(flags) & $1.0 != 0 ? $1.1 : 0) }
      let delays = start + 8 + fields + 21
      let numbers = bytes.count >= delays + 3 ? Int64(bytes.bigEndian(at: delays, 3)) : 0
      trimmedSamples = numbers >> 12 + numbers & 0xfff
    }

    /// Fraunhofer's.
    init(vbri bytes: [UInt8], at start: Int) {
      frameCount = Int64(bytes.bigEndian(at: start + 14, 4))
      trimmedSamples = 0
      isDecoded = true
    }
  }

  /// Tags before, between and after frames.
  private enum Tag {
    static let id3 = Array("ID3".utf8)

    /// - Returns: the tag's length; `nil` if it is not a tag.
    static func byteCount(_ bytes: [UInt8]) -> Int64? {
      if let count = ID3Tag.byteCount(bytes) { return count }
      if bytes.starts(with: "TAG+".utf8) { return 227 }
      if bytes.starts(with: "TAG".utf8) { return 128 }
      guard bytes.count >= 32, bytes.starts(with: "APETAGEX".utf8) else { return nil }
      // A footer, whose size is that of the preceding data, or a header, whose size is that of the following data.
      let isHeader = bytes[23] & 0x20 != 0
      return 32 + (isHeader ? Int64(bytes.uint32(at: 12)) : 0)
    }
  }
}

// MARK: ID3

/// An ID3v2 tag: text and pictures before the audio.
///
/// - SeeAlso: ID3 tag version 2.4.0, main structure, section 3.
enum ID3Tag {
  /// The length of a tag that begins with these bytes, including header and footer; `nil` if it is not a tag.
  static func byteCount(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), bytes[6..<10].allSatisfy({ $0 < 0x80 }) else { return nil }
    let hasFooter = bytes[5] & 0x10 != 0
    return bytes[6..<10].reduce(0) { $0 << 7 | Int64($1) } + (hasFooter ? 20 : 10)
  }
}
