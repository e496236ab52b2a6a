/// How a kept render lies in its file, `KEY.render`. All numbers are little-endian.
///
///     0     8 bytes  "DAWrend2"
///     8     Int64    blocks of 4,096 frames
///     16    Int64    1 where all frames behind the last block are silence, else 0
///     24    Int64    the slot that it was first rendered for: a track's id
///     32    192      SHA-256 of each part of its key
///     224   UInt64   for each block, the checksum of its samples
///     …     UInt64   the checksum of all the bytes before
///     …              zeros up to a multiple of 4,096
///     …              for each block, 4,096 samples of the left side, then of the right, 32-bit float
///
/// Blocks of silence are holes in the file, which take no room on the disk.
struct RenderLayout: Equatable {
  static let blockFrames = 4_096
  static let blockBytes = 2 * blockFrames * 4
  static let magic = Array("DAWrend2".utf8)
  static let fixedSize = 32 + RenderKey.digestSize * RenderPart.allCases.count

  var blockCount: Int
  var endsInSilence: Bool
  var slot: Int64
  var key: RenderKey

  private var tableEnd: Int { Self.fixedSize + 8 * blockCount }
  var headerSize: Int { (tableEnd + 8 + 4_095) / 4_096 * 4_096 }
  var fileSize: Int { headerSize + blockCount * Self.blockBytes }

  func offset(ofBlock number: Int) -> Int { headerSize + number * Self.blockBytes }

  /// - Parameter checksums: of each block.
  func header(_ checksums: [UInt64]) -> [UInt8] {
    var bytes = Self.magic
    for number in [Int64(blockCount), endsInSilence ? 1 : 0, slot] { bytes.append(number) }
    for part in key.parts { bytes += part }
    for checksum in checksums { bytes.append(Int64(bitPattern: checksum)) }
    bytes.append(Int64(bitPattern: bytes.withUnsafeBytes(RenderChecksum.of)))
    return bytes + [UInt8](repeating: 0, count: headerSize - bytes.count)
  }

  /// What the first bytes of a file say; `nil` where it is no render. The table is not looked at.
  init?(fixed bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.fixedSize, bytes.starts(with: Self.magic) else { return nil }
    let count = bytes.number(at: 8)
    // Ten years of 192 kHz: whatever the file says, memory stays within reason until the whole header is proved.
    guard (0...(1 << 34)).contains(count) else { return nil }
    blockCount = Int(count)
    endsInSilence = bytes.number(at: 16) == 1
    slot = bytes.number(at: 24)
    key = RenderKey(
      parts: RenderPart.allCases.indices.map { part in
        Array(bytes[(32 + part * RenderKey.digestSize)...].prefix(RenderKey.digestSize))
      })
  }

  init(blockCount: Int, endsInSilence: Bool, slot: Int64, key: RenderKey) {
    self.blockCount = blockCount
    self.endsInSilence = endsInSilence
    self.slot = slot
    self.key = key
  }

  /// - Parameter bytes: all of the header.
  /// - Returns: the checksums of the blocks; `nil` where the header is not as it was written.
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
