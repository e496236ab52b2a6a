/// The header packets at the start of an Ogg file with one stream.
/// - SeeAlso: RFC 3533, section 6; RFC 7845, section 5 (Opus); "Vorbis I specification", sections 4.2 and A.2.
enum OggHeaders {
  /// Adds to the comments, the second packet. Numbers and checksums of pages are left to `OggPageNumbers`.
  /// - Parameters:
  ///   - packetCount: header packets; the first has a page to itself, and sound begins on a page of its own.
  ///   - magic: before the comments.
  ///   - framing: behind them.
  static func put(
    _ tags: FileTags, intoFile number: Int32, packetCount: Int, magic: [UInt8], framing: [UInt8]
  ) throws(SystemCallFailure) {
    var packets: [[UInt8]] = []
    var open: [UInt8] = []
    var end: Int64 = 0
    var first: [UInt8] = []
    while packets.count < packetCount, let page = try FileHead.oggPage(at: end, inFile: number) {
      if first.isEmpty { first = page }
      end += Int64(page.count)
      var place = 27 + Int(page[26])
      for length in page[27..<27 + Int(page[26])] {
        open += page[place..<place + Int(length)]
        place += Int(length)
        if length < 255 {
          packets.append(open)
          open = []
        }
      }
    }
    guard packets.count == packetCount, packets[1].starts(with: magic),
      var comments = VorbisComments(packets[1].dropFirst(magic.count))
    else { throw FileHead.unreadable }
    comments.add(tags)
    if let cover = tags.cover {
      comments.fields.append(
        Array("METADATA_BLOCK_PICTURE=".utf8) + VorbisComments.base64(VorbisComments.picture(cover)))
    }
    packets[1] = magic + comments.bytes + framing
    try FileHead.replace(end, with: first + pages(of: packets.dropFirst(), like: first), inFile: number)
  }

  /// Pages of whole packets; their checksums are missing.
  private static func pages(of packets: ArraySlice<[UInt8]>, like first: [UInt8]) -> [UInt8] {
    let segments = packets.flatMap { packet in
      [Int](repeating: 255, count: packet.count / 255) + [packet.count % 255]
    }
    let content = Array(packets.joined())
    var pages: [UInt8] = []
    var (place, isContinued) = (0, false)
    for start in stride(from: 0, to: segments.count, by: 255) {
      let lengths = segments[start..<min(start + 255, segments.count)]
      var header = Array(first[..<27])
      header[5] = isContinued ? 1 : 0
      let endsPacket = lengths.contains { $0 < 255 }
      // The position of sound: none yet, or none that ends here.
      for byte in 6..<14 { header[byte] = endsPacket ? 0 : 0xff }
      header[26] = UInt8(lengths.count)
      let byteCount = lengths.reduce(0, +)
      pages += header + lengths.map(UInt8.init) + content[place..<place + byteCount]
      place += byteCount
      isContinued = lengths.last == 255
    }
    return pages
  }
}
