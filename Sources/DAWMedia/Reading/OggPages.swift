/// The pages of an Ogg file, by their headers.
///
/// - SeeAlso: RFC 3533, sections 4 (chaining) and 6 (the page's header).
enum OggPages {
  /// Whether the file is a chain: a logical stream begins or continues after those that begin at the start of the file.
  /// libsndfile only reads the first link of a chain. Streams that all begin at the start are multiplexed, not chained.
  /// - Parameter offset: of the first page. Damaged pages are skipped.
  static func areChained(
    in window: inout FileWindow, from offset: Int64
  ) throws(AudioFileError) -> Bool {
    var offset = offset
    var serials: Set<UInt32> = []
    var haveAllBegun = false
    while true {
      let header = try window.bytes(at: offset, count: longestHeader)
      guard let page = Page(header) else {
        let next = try window.firstPlace(from: offset + 1) { $0.elementsEqual("OggS".utf8) }
        guard let next else { return false }
        offset = next
        continue
      }
      if page.begins, !haveAllBegun {
        serials.insert(page.serial)
      } else {
        if page.begins || !serials.contains(page.serial) { return true }
        haveAllBegun = true
      }
      offset += Int64(page.byteCount)
    }
  }

  /// The longest page header, with a full segment table. Bytes.
  private static let longestHeader = 27 + 255

  private struct Page {
    let begins: Bool
    let serial: UInt32
    /// The page's length, header included.
    let byteCount: Int

    /// - Returns: `nil` if it is not a complete page header.
    init?(_ header: [UInt8]) {
      guard header.count >= 27, header.text(at: 0) == "OggS", header[4] == 0 else { return nil }
      let end = 27 + Int(header[26])
      guard header.count >= end else { return nil }
      begins = header[5] & 2 != 0
      serial = header.uint32(at: 14)
      byteCount = end + header[27..<end].reduce(0) { $0 + Int($1) }
    }
  }
}
