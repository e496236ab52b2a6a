import DAWTime

/// The layout of a peak file. All numbers are little-endian.
///
///     0   "DAWPEAKS"
///     8   u32 version, u32 channels
///     16  u64 frames of the audio file
///     24  u32 frames per point of the finest level, u32 points combined in the next level
///     32  u32 number of levels, u32 0
///     40  SHA-256 of the audio file's bytes
///     72  SHA-256 of the bytes before
///     104 the levels, the finest first: for each point, for each channel, f32 minimum, f32 maximum
///
/// The last point of a level may cover fewer frames. The coarsest level has one point.
struct PeakLayout: Equatable {
  let channelCount: Int
  let frames: Int64

  static let framesPerPoint = 256
  static let factor = 4
  static let headerBytes = 104
  private static let version: UInt32 = 1

  /// The finest first.
  var levels: [PeakLevel] {
    var levels: [PeakLevel] = []
    var framesPerPoint = Int64(Self.framesPerPoint)
    while true {
      let (whole, rest) = frames.quotientAndRemainder(dividingBy: framesPerPoint)
      let points = whole + (rest > 0 ? 1 : 0)
      levels.append(PeakLevel(framesPerPoint: framesPerPoint, pointCount: points))
      if points <= 1 { return levels }
      framesPerPoint *= Int64(Self.factor)
    }
  }

  var bytesPerPoint: Int { channelCount * 8 }

  /// The offset of a level's first point.
  func offset(ofLevel level: Int) -> Int64 {
    levels[..<level].reduce(Int64(Self.headerBytes)) { $0 + $1.pointCount * Int64(bytesPerPoint) }
  }

  var byteCount: Int64 { offset(ofLevel: levels.count) }

  func header(sha256: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(text: "DAWPEAKS")
    bytes.append(littleEndian: Self.version)
    bytes.append(littleEndian: UInt32(channelCount))
    bytes.append(littleEndian: frames)
    bytes.append(littleEndian: UInt32(Self.framesPerPoint))
    bytes.append(littleEndian: UInt32(Self.factor))
    bytes.append(littleEndian: UInt32(levels.count))
    bytes.append(littleEndian: UInt32(0))
    bytes += Self.bytes(ofHexadecimal: sha256)
    var hash = StreamingSHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return bytes + hash.digest()
  }

  /// Decodes 64 hexadecimal digits to 32 bytes; invalid digits become zeros.
  private static func bytes(ofHexadecimal text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
    return (0..<32).map { 2 * $0 + 1 < digits.count ? digits[2 * $0] << 4 | digits[2 * $0 + 1] : 0 }
  }
}

/// One resolution of a file of peaks.
public struct PeakLevel: Hashable, Sendable {
  public let framesPerPoint: Int64
  public let pointCount: Int64
}
