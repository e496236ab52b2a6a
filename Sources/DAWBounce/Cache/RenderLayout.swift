import DAWEngine

/// The layout of a cached render's file, `KEY.render`. All numbers are little-endian.
///
///     0     8 bytes  "DAWrend3"
///     8     Int64    blocks of 4,096 frames
///     16    Int64    frames; what follows them in their block is not valid
///     24    Int64    1 if all further frames are silent, else 0
///     32    Int64    sides: 1 if the right one is silent throughout, else 2
///     40    Int64    what was rendered: `RenderKind`
///     48    Int64    the id of the track that it was first rendered for
///     56    320      SHA-256 of each part of its key
///     376   UInt64   for each block, the checksum of its samples
///     …     UInt64   the checksum of all the bytes before
///     …              zeros up to a multiple of 4,096
///     …              for each block, 4,096 samples of each side, 32-bit float
///
/// Silent blocks are holes in a sparse file, which take no space on disk.
struct RenderLayout: Equatable {
  static let blockFrames = 4_096
  static let magic = Array("DAWrend3".utf8)
  private static let keyOffset = 56
  static let fixedSize = keyOffset + RenderKey.digestSize * RenderPart.allCases.count
  /// A day at 192 kHz. Longer renders are not kept, so that a damaged file cannot ask for a table of any size.
  static let maximumBlockCount = 1 << 22

  var blockCount: Int
  /// At most those of all blocks.
  var frameCount: Int64
  var endsInSilence: Bool
  /// 1 or 2.
  var sideCount: Int
  var kind: RenderKind
  var trackID: Int64
  var key: RenderKey

  private var tableEnd: Int { Self.fixedSize + 8 * blockCount }
  var headerSize: Int { (tableEnd + 8 + 4_095) / 4_096 * 4_096 }
  var fileSize: Int { headerSize + blockCount * blockBytes }
  var blockBytes: Int { sideCount * Self.blockFrames * 4 }

  func offset(ofBlock number: Int) -> Int { headerSize + number * blockBytes }

  /// - Parameter checksums: of all blocks.
  func header(_ checksums: [UInt64]) -> [UInt8] {
    var bytes = Self.magic
    let numbers = [
      Int64(blockCount), frameCount, endsInSilence ? 1 : 0, Int64(sideCount), kind.rawValue, trackID,
    ]
    for number in numbers { bytes.append(number) }
    for part in key.parts { bytes += part }
    for checksum in checksums { bytes.append(Int64(bitPattern: checksum)) }
    bytes.append(Int64(bitPattern: bytes.withUnsafeBytes(RenderChecksum.of)))
    return bytes + [UInt8](repeating: 0, count: headerSize - bytes.count)
  }

  /// Decodes the fixed part of a header; `nil` if the file is not a render. The table is not checked.
  init?(fixed bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.fixedSize, bytes.starts(with: Self.magic) else { return nil }
    let (blocks, frames, sides) = (bytes.number(at: 8), bytes.number(at: 16), bytes.number(at: 32))
    guard (0...Int64(Self.maximumBlockCount)).contains(blocks),
      (0...blocks * Int64(Self.blockFrames)).contains(frames), (1...2).contains(sides),
      let kind = RenderKind(rawValue: bytes.number(at: 40))
    else { return nil }
    (blockCount, frameCount, sideCount) = (Int(blocks), frames, Int(sides))
    endsInSilence = bytes.number(at: 24) == 1
    self.kind = kind
    trackID = bytes.number(at: 48)
    key = RenderKey(
      parts: RenderPart.allCases.indices.map { part in
        Array(bytes[(Self.keyOffset + part * RenderKey.digestSize)...].prefix(RenderKey.digestSize))
      })
  }

  /// For frames that are still to be rendered.
  /// - Parameter frameCount: the most.
  /// - Returns: `nil` if they are too many.
  init?(frameCount: Int64, sideCount: Int, kind: RenderKind, trackID: Int64, key: RenderKey) {
    blockCount = Int((frameCount + Int64(Self.blockFrames) - 1) / Int64(Self.blockFrames))
    guard blockCount <= Self.maximumBlockCount else { return nil }
    self.frameCount = frameCount
    self.sideCount = sideCount
    self.kind = kind
    self.trackID = trackID
    self.key = key
    endsInSilence = false
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

/// What a render is of.
public enum RenderKind: Int64, Hashable, Sendable {
  case instrument
  /// A strip with its effects before the fader.
  case strip
  /// What its effects behind the fader process.
  case postFader
}

extension RenderKind {
  /// `nil` for a part of a strip that has no effects.
  init?(_ part: StripID.Part) {
    switch part {
    case .main: self = .strip
    case .postFader: self = .postFader
    case .directOut, .key: return nil
    }
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
