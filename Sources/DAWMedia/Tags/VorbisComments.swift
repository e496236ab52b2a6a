/// The comments of FLAC, Vorbis and Opus files, and their pictures.
/// - SeeAlso: xiph.org, "Ogg Vorbis I format specification: comment field and header specification"; XiphWiki, "Chapter
///   Extension"; RFC 9639, section 8.8 (picture).
struct VorbisComments {
  var vendor: [UInt8] = []
  /// `NAME=value`, each.
  var fields: [[UInt8]] = []

  init() {}

  /// - Parameter bytes: the block, without a magic before it or a framing bit behind.
  /// - Returns: `nil` where it is damaged.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var place = 0
    func next(_ place: inout Int) -> [UInt8]? {
      guard place + 4 <= bytes.count else { return nil }
      let length = Int(bytes.uint32(at: place))
      guard length <= bytes.count - place - 4 else { return nil }
      defer { place += 4 + length }
      return Array(bytes[place + 4..<place + 4 + length])
    }
    guard let vendor = next(&place), place + 4 <= bytes.count else { return nil }
    self.vendor = vendor
    let count = bytes.uint32(at: place)
    place += 4
    for _ in 0..<count {
      guard let field = next(&place) else { return nil }
      fields.append(field)
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(vendor.count))
    bytes += vendor
    bytes.append(littleEndian: UInt32(fields.count))
    for field in fields {
      bytes.append(littleEndian: UInt32(field.count))
      bytes += field
    }
    return bytes
  }

  /// Adds all but the cover.
  mutating func add(_ tags: FileTags) {
    let fields = [
      ("TITLE", tags.title), ("ARTIST", tags.artist), ("ALBUM", tags.album),
      ("TRACKNUMBER", tags.trackNumber.map { "\($0.number)" }), ("TRACKTOTAL", tags.trackNumber?.total.map { "\($0)" }),
      ("COMMENT", tags.comment),
    ]
    for (name, value) in fields { if let value { add(name, value) } }
    for (index, chapter) in tags.chapters.enumerated() {
      let name = "CHAPTER" + Self.padded(Int64(index + 1), 3)
      add(name, Self.time(chapter.start))
      add(name + "NAME", chapter.name)
    }
  }

  mutating func add(_ name: String, _ value: String) { fields.append(Array("\(name)=\(value)".utf8)) }

  /// The body of FLAC's picture block; in Ogg, encoded as base64.
  static func picture(_ cover: CoverImage) -> [UInt8] {
    var body: [UInt8] = []
    // The front cover.
    body.append(bigEndian: 3)
    body.append(bigEndian: cover.mediaType.utf8.count)
    body += Array(cover.mediaType.utf8)
    // No description.
    body.append(bigEndian: 0)
    for number in [cover.width, cover.height, cover.depth] { body.append(bigEndian: Int(number)) }
    // No palette.
    body.append(bigEndian: 0)
    body.append(bigEndian: cover.bytes.count)
    return body + cover.bytes
  }

  /// - SeeAlso: RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let group = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
      for digit in 0..<4 {
        text.append(digit <= count ? digits[group >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }

  /// `HH:MM:SS.mmm`.
  private static func time(_ milliseconds: Int64) -> String {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    return padded(seconds / 3_600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + "."
      + padded(rest, 3)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// The metadata blocks at the start of a FLAC file.
/// - SeeAlso: RFC 9639, sections 8.1 (header of a block) and 8.6 (comments).
enum FLACMetadata {
  private static let (commentType, pictureType): (UInt8, UInt8) = (4, 6)

  static func put(_ tags: FileTags, intoFile number: Int32) throws(SystemCallFailure) {
    var blocks: [(type: UInt8, body: [UInt8])] = []
    var offset: Int64 = 4
    while true {
      let header = try FileHead.bytes(4, at: offset, inFile: number)
      guard header.count == 4 else { throw FileHead.unreadable }
      blocks.append((header[0] & 0x7f, try FileHead.bytes(header.bigEndian(at: 1, 3), at: offset + 4, inFile: number)))
      offset += 4 + Int64(header.bigEndian(at: 1, 3))
      if header[0] & 0x80 != 0 { break }
    }
    let present = blocks.firstIndex { $0.type == commentType }
    var comments = present.flatMap { VorbisComments(blocks[$0].body) } ?? VorbisComments()
    comments.add(tags)
    if let present { blocks.remove(at: present) }
    // The stream's description stays the first.
    blocks.insert((commentType, comments.bytes), at: min(1, blocks.count))
    if let cover = tags.cover { blocks.append((pictureType, VorbisComments.picture(cover))) }
    var head = Array("fLaC".utf8)
    for (index, block) in blocks.enumerated() {
      head.append(block.type | (index == blocks.count - 1 ? 0x80 : 0))
      head.append(bigEndian: block.body.count, 3)
      head += block.body
    }
    try FileHead.replace(offset, with: head, inFile: number)
  }
}
