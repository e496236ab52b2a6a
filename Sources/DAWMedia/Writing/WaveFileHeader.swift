/// The header of a WAV to be written: without a date, and of constant length for a format, so that sizes can be filled
/// in later. A `JUNK` chunk reserves space for RF64's 64-bit sizes.
///
/// - SeeAlso: Microsoft, Multiple channel audio data and WAVE files; EBU Tech 3306, on the step from RIFF to RF64.
struct WaveFileHeader {
  let format: AudioFileFormat
  /// The largest size in RIFF. Lower in tests.
  var riffLimit: UInt64 = 0xffff_ffff
  var description: WaveDescription?

  /// - Parameter frameCount: frames in the file.
  func bytes(frameCount: Int64) -> [UInt8] {
    let dataBytes = UInt64(frameCount) * UInt64(format.channelCount * format.encoding.bytesPerSample)
    let chunks = (description?.chunks(for: format) ?? []) + formatChunk()
    let factBytes = format.encoding.isFloat ? 12 : 0
    let riffBytes = UInt64(4 + 36 + chunks.count + factBytes + 8) + dataBytes + dataBytes % 2
    let isLarge = format.container == .rf64 || riffBytes > riffLimit
    func size(_ bytes: UInt64) -> UInt32 { isLarge ? .max : UInt32(truncatingIfNeeded: bytes) }

    var header: [UInt8] = []
    header.append(text: isLarge ? "RF64" : "RIFF")
    header.append(littleEndian: size(riffBytes))
    header.append(text: "WAVE")
    header.append(text: isLarge ? "ds64" : "JUNK")
    header.append(littleEndian: UInt32(28))
    for value in [riffBytes, dataBytes, UInt64(frameCount)] { header.append(littleEndian: isLarge ? value : 0) }
    header.append(littleEndian: UInt32(0))
    header += chunks
    if format.encoding.isFloat {
      header.append(text: "fact")
      header.append(littleEndian: UInt32(4))
      header.append(littleEndian: size(UInt64(frameCount)))
    }
    header.append(text: "data")
    header.append(littleEndian: size(dataBytes))
    return header
  }

  private func formatChunk() -> [UInt8] {
    let encoding = format.encoding
    let bytesPerFrame = format.channelCount * encoding.bytesPerSample
    // WAVE_FORMAT_EXTENSIBLE, required for more than 16 bits or two channels; float has its own tag in the plain form.
    let isExtensible = format.channelCount > 2 || (!encoding.isFloat && encoding.bitsPerSample > 16)
    let tag: UInt16 = encoding.isFloat ? 3 : 1
    var body: [UInt8] = []
    body.append(littleEndian: isExtensible ? 0xfffe : tag)
    body.append(littleEndian: UInt16(format.channelCount))
    body.append(littleEndian: UInt32(format.sampleRate.hertz))
    body.append(littleEndian: UInt32(truncatingIfNeeded: format.sampleRate.hertz * bytesPerFrame))
    body.append(littleEndian: UInt16(truncatingIfNeeded: bytesPerFrame))
    body.append(littleEndian: UInt16(encoding.bitsPerSample))
    if isExtensible {
      body.append(littleEndian: UInt16(22))
      body.append(littleEndian: UInt16(encoding.bitsPerSample))
      body.append(littleEndian: speakers)
      body.append(littleEndian: tag)
      body += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    } else if encoding.isFloat {
      body.append(littleEndian: UInt16(0))
    }
    var chunk: [UInt8] = []
    chunk.append(text: "fmt ")
    chunk.append(littleEndian: UInt32(body.count))
    return chunk + body
  }

  /// Front centre, or front left and right; more channels have no speaker positions.
  private var speakers: UInt32 {
    switch format.channelCount {
    case 1: 0x4
    case 2: 0x3
    default: 0
    }
  }
}
