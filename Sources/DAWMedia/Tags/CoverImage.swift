import DAWErrors

/// A JPEG or PNG for a file's cover, kept as it is.
public struct CoverImage: Hashable, Sendable {
  public let bytes: [UInt8]
  /// `image/jpeg` or `image/png`.
  public let mediaType: String
  /// Pixels.
  public let width: UInt32
  public let height: UInt32
  /// Bits of a pixel.
  public let depth: UInt32

  /// FLAC's limit, less the rest of its block.
  public static let maximumByteCount = 16_000_000

  /// - Throws: `Failure` where it is no file, too large, or neither a JPEG nor a PNG.
  public static func read(path: String) throws(Failure) -> CoverImage {
    func refused(_ reason: String, _ hint: String) -> Failure {
      Failure(.invalid, code: "invalidCover", "The cover '\(path)' \(reason). Nothing was written.", hint: hint)
    }
    let bytes: [UInt8]
    do throws(AudioFileError) {
      let file = try OpenAudioFile(path: path)
      guard file.byteCount <= maximumByteCount else {
        throw AudioFileError.damaged(path: path, reason: "\(file.byteCount)")
      }
      bytes = try file.bytes(at: 0, count: Int(file.byteCount))
    } catch {
      switch error {
      case .missing:
        throw Failure(
          .noInput, code: "fileNotFound", "There is no cover '\(path)'. Nothing was written.",
          hint: "Check the path's spelling.")
      case .notAFile(_, let kind): throw refused("is \(kind), not a file", "Name a JPEG or PNG.")
      case .empty: throw refused("is empty", "Name a JPEG or PNG.")
      case .damaged(_, let size):
        throw refused("has \(size) bytes, and may have \(maximumByteCount)", "Make it smaller.")
      default: throw Failure(error)
      }
    }
    guard let image = CoverImage(png: bytes) ?? CoverImage(jpeg: bytes) else {
      throw refused("is neither a JPEG nor a PNG", "Convert it to one of these.")
    }
    return image
  }

  private init(_ bytes: [UInt8], _ mediaType: String, _ width: Int, _ height: Int, _ depth: Int) {
    (self.bytes, self.mediaType) = (bytes, mediaType)
    (self.width, self.height, self.depth) = (UInt32(width), UInt32(height), UInt32(depth))
  }

  /// - SeeAlso: Portable Network Graphics (W3C), sections 5.2 and 11.2.2.
  init?(png bytes: [UInt8]) {
    guard bytes.count > 33, bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      bytes.text(at: 12) == "IHDR"
    else { return nil }
    let samples = [0: 1, 2: 3, 3: 3, 4: 2, 6: 4][Int(bytes[25])] ?? 3
    let bits = bytes[25] == 3 ? 8 : Int(bytes[24])
    let (width, height) = (bytes.bigEndian(at: 16, 4), bytes.bigEndian(at: 20, 4))
    guard width > 0, height > 0 else { return nil }
    self.init(bytes, "image/png", width, height, samples * bits)
  }

  /// - SeeAlso: ITU-T T.81, annex B.
  init?(jpeg bytes: [UInt8]) {
    guard bytes.starts(with: [0xff, 0xd8, 0xff]) else { return nil }
    var place = 2
    while place + 10 <= bytes.count, bytes[place] == 0xff {
      let marker = bytes[place + 1]
      // A byte that fills up.
      if marker == 0xff {
        place += 1
        continue
      }
      if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
        let (height, width) = (bytes.bigEndian(at: place + 5, 2), bytes.bigEndian(at: place + 7, 2))
        self.init(bytes, "image/jpeg", width, height, Int(bytes[place + 4]) * Int(bytes[place + 9]))
        return
      }
      place += 2 + bytes.bigEndian(at: place + 2, 2)
    }
    return nil
  }
}

extension [UInt8] {
  /// An unsigned number of up to four bytes; the caller has checked the bounds.
  func bigEndian(at offset: Int, _ count: Int) -> Int { self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } }

  /// Appends the lowest `count` bytes of a number, the highest first.
  mutating func append(bigEndian value: Int, _ count: Int = 4) {
    for byte in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }
}
