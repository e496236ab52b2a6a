/// The layout of a cached render's file, `KEY.render`. All numbers are little-endian.
///
///     0     8 bytes  "DAWrend2"
///     8     Int64    blocks of 4,096 frames
///     16    Int64    1 if all frames after the last block are silent, else 0
///     24    Int64    the id of the track that it was first rendered for
///     32    192      SHA-256 of each part of its key
///     224   UInt64   for each block, the checksum of its samples
///     …     UInt64   the checksum of all the bytes before
///     …              zeros up to a multiple of 4,096
///     …              for each block, 4,096 samples of the left side, then of the right, 32-bit float
///
/// Silent blocks are holes in a sparse file, which take no space on disk.
struct RenderLayout: Equatable {
  static let blockFrames = 4_096
  static let blockBytes = 2 * blockFrames * 4
  static let magic = Array("DAWrend2".utf8)
  static let fixedSize = 32 + RenderKey.digestSize * RenderPart.allCases.count

  var blockCount: Int
  var endsInSilence: Bool
  var trackID: Int64
  var key: RenderKey

  private var tableEnd: Int { Self.fixedSize + 8 * blockCount }
  var headerSize: Int { (tableEnd + 8 + 4_095) / 4_096 * 4_096 }
  var fileSize: Int { headerSize + blockCount * Self.blockBytes }

  func offset(ofBlock number: Int) -> Int { headerSize + number * Self.blockBytes }

  /// - Parameter checksums: of all blocks.
  func header(_ checksums: [UInt64]) -> [UInt8] {
    var bytes = Self.magic
    for number in [Int64(blockCount), endsInSilence ? 1 : 0, trackID] { bytes.append(number) }
    for part in key.parts { bytes += part }
    for checksum in checksums { bytes.append(Int64(bitPattern: checksum)) }
    bytes.append(Int64(bitPattern: bytes.withUnsafeBytes(RenderChecksum.of)))
    return bytes + [UInt8](repeating: 0, count: headerSize - bytes.count)
  }

  /// Decodes the fixed part of a header; `nil` if the file is not a render. The table is not checked.
  init?(fixed bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.fixedSize, bytes.starts(with: Self.magic) else { return nil }
    let count = bytes.number(at: 8)
    // A limit of ten years at 192 kHz, because the count is not covered by the checksum until the whole header is read.
    guard (0...(1 << 34)).contains(count) else { return nil }
    blockCount = Int(count)
    endsInSilence = bytes.number(at: 16) == 1
    trackID = bytes.number(at: 24)
    key = RenderKey(
      parts: RenderPart.allCases.indices.map { part in
        Array(bytes[(32 + part * RenderKey.digestSize)...].prefix(RenderKey.digestSize))
      })
  }

  init(blockCount: Int, endsInSilence: Bool, trackID: Int64, key: RenderKey) {
    self.blockCount = blockCount
    self.endsInSilence = endsInSilence
    self.trackID = trackID
    self.key = key
  }

  /// - Parameter bytes: the whole header.
  /// - Returns: the checksums of the blocks; `nil` if the header does not match its own.
  func checksums(_ bytes: UnsafeRawBufferPointer) -> [UInt64]? {
    guard bytes.count >= tableEnd + 8 else { return nil }
    let proved = RenderChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<tableEnd]))
    guard UInt64(bitPattern: bytes.number(at: tableEnd)) == proved else { return nil }
    return (0..<blockCount).map { UInt64(bitPattern: bytes.number(at: Self.fixedSize + 8 * $0)) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: Int64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { self += $0 }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func number(at offset: Int) -> Int64 {
    Int64(littleEndian: loadUnaligned(fromByteOffset: offset, as: Int64.self))
  }
}

// MARK: Checksum

/// A checksum against disk errors and crashes: a Fletcher checksum in eight lanes. Not cryptographic.
enum RenderChecksum {
  /// - Parameter bytes: their count is a multiple of 4.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sums = SIMD8<UInt32>(repeating: 1)
    var sumsOfSums = SIMD8<UInt32>(repeating: 0)
    var offset = 0
    while offset + 32 <= bytes.count {
      sums &+= bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt32>.self)
      sumsOfSums &+= sums
      offset += 32
    }
    var result = UInt64(bytes.count)
    while offset + 4 <= bytes.count {
      result = mix(result, bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      offset += 4
    }
    for lane in 0..<8 {
      result = mix(result, sums[lane])
      result = mix(result, sumsOfSums[lane])
    }
    return result
  }

  private static func mix(_ state: UInt64, _ word: UInt32) -> UInt64 {
    let mixed = (state ^ UInt64(word)) &* 0x9e37_79b9_7f4a_7c15
    return mixed ^ mixed >> 32
  }
}
