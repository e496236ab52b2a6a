import DAWMedia

/// WAV files as bytes, assembled by hand so that a test can put a wrong value into any field of the header. Independent
/// of the library's own writer.
public struct WaveFixture {
  public var encoding: SampleEncoding
  public var channelCount: Int
  public var hertz = 48_000
  /// WAVE_FORMAT_EXTENSIBLE.
  public var isExtensible = false
  /// RF64 with its sizes in a `ds64` chunk, instead of RIFF.
  public var isRF64 = false
  /// Chunks between `fmt ` and `data`.
  public var chunksBefore: [(name: String, body: [UInt8])] = []
  /// Chunks after `data`.
  public var chunksAfter: [(name: String, body: [UInt8])] = []
  /// A wrong length of the data for the header, in bytes; `nil` for the right one.
  public var statedDataSize: UInt32?
  /// A wrong length of the file for the header, in bytes; `nil` for the right one.
  public var statedRIFFSize: UInt32?

  public init(_ encoding: SampleEncoding, channelCount: Int = 1) {
    self.encoding = encoding
    self.channelCount = channelCount
  }

  /// The whole file, with these bytes of samples.
  public func file(data: [UInt8]) -> [UInt8] {
    var body: [UInt8] = Array("WAVE".utf8)
    var format: [UInt8] = []
    let tag: UInt16 = encoding.isFloat ? 3 : 1
    format += (isExtensible ? 0xfffe : tag).bytes + UInt16(truncatingIfNeeded: channelCount).bytes
    format += UInt32(hertz).bytes + UInt32(truncatingIfNeeded: hertz * channelCount * encoding.bytesPerSample).bytes
    format += UInt16(truncatingIfNeeded: channelCount * encoding.bytesPerSample).bytes
    format += UInt16(encoding.bitsPerSample).bytes
    if isExtensible {
      format += UInt16(22).bytes + UInt16(encoding.bitsPerSample).bytes + UInt32(0).bytes + tag.bytes
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    }
    var chunks = Self.chunk("fmt ", format)
    for (name, bytes) in chunksBefore { chunks += Self.chunk(name, bytes) }
    var rest = Self.chunk("data", data, statedSize: isRF64 ? .max : statedDataSize)
    for (name, bytes) in chunksAfter { rest += Self.chunk(name, bytes) }
    let sizes: [UInt8]
    if isRF64 {
      let total = UInt64(4 + 36 + chunks.count + rest.count)
      let frames = UInt64(data.count / max(1, channelCount * encoding.bytesPerSample))
      sizes = Self.chunk("ds64", total.bytes + UInt64(data.count).bytes + frames.bytes + UInt32(0).bytes)
    } else {
      sizes = []
    }
    body += sizes + chunks + rest
    let size = statedRIFFSize ?? (isRF64 ? .max : UInt32(body.count))
    return Array((isRF64 ? "RF64" : "RIFF").utf8) + size.bytes + body
  }

  /// A chunk, padded to an even length.
  public static func chunk(_ name: String, _ body: [UInt8], statedSize: UInt32? = nil) -> [UInt8] {
    Array(name.utf8) + (statedSize ?? UInt32(body.count)).bytes + body + (body.count % 2 == 1 ? [0] : [])
  }
}

extension FixedWidthInteger {
  /// Little-endian.
  public var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
