/// The pages of an Ogg file, by their headers.
///
/// - SeeAlso: RFC 3533, sections 4 (chaining) and 6 (the page's header).
enum OggPages {
  /// Whether a logical stream begins, or goes on, behind the pages of those with which the file begins: a chain, of which
  /// libsndfile reads the first link alone. Streams that all begin at the start lie beside one another, and are none.
  /// - Parameter offset: where the first page should be. Damaged places are passed over.
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

  /// With a full table of segments. Bytes.
  private static let longestHeader = 27 + 255

  private struct Page {
    let begins: Bool
    let serial: UInt32
    /// With its header.
    let byteCount: Int

    /// - Returns: `nil` for what is no header of a page, or not all of one.
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
