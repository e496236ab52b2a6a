/// The pages of an Ogg file, by their headers.
///
/// - SeeAlso: RFC 3533, sections 4 (chaining) and 6 (the page's header).
enum OggPages {
  /// How a file ends: the stream of its first page, which is the only one that libsndfile reads.
  enum End: Equatable {
    /// With a page that is marked as the last.
    case marked
    /// No page is marked as the last: the file is cut short between two pages, or was recorded from a running stream.
    case unmarked
    /// Within a page: the file is cut short.
    case withinPage
    /// The file is a chain: a logical stream begins or continues after those that begin at the start. Streams that all
    /// begin at the start are multiplexed, not chained.
    case chained
  }

  /// Walks through the pages. Damaged pages, and what is not a page, are skipped.
  /// - Parameter offset: of the first page.
  static func end(in window: inout FileWindow, from offset: Int64) throws(AudioFileError) -> End {
    var offset = offset
    var serials: Set<UInt32> = []
    var haveAllBegun = false
    var first: UInt32?
    var end = End.unmarked
    while true {
      let header = try window.bytes(at: offset, count: longestHeader)
      guard let page = Page(header) else {
        let next = try window.firstPlace(from: offset + 1) { $0.elementsEqual("OggS".utf8) }
        guard let next else { return end }
        offset = next
        continue
      }
      if page.begins, !haveAllBegun {
        serials.insert(page.serial)
      } else {
        if page.begins || !serials.contains(page.serial) { return .chained }
        haveAllBegun = true
      }
      offset += Int64(page.byteCount)
      first = first ?? page.serial
      if page.serial == first, end != .marked {
        end = offset > window.fileByteCount ? .withinPage : page.ends ? .marked : .unmarked
      }
    }
  }

  /// Whether the first stream is FLAC.
  /// - SeeAlso: RFC 9639, section 10.1, FLAC in Ogg
  static func beginWithFLAC(in file: OpenAudioFile) throws(AudioFileError) -> Bool {
    let start = ID3Tag.byteCount(try file.bytes(at: 0, count: 10)) ?? 0
    let mark: [UInt8] = [0x7f] + Array("FLAC".utf8)
    let page = try file.bytes(at: start, count: longestHeader + mark.count)
    guard page.count > 27, page.text(at: 0) == "OggS" else { return false }
    return page.dropFirst(27 + Int(page[26])).starts(with: mark)
  }

  /// The longest page header, with a full segment table. Bytes.
  private static let longestHeader = 27 + 255

  private struct Page {
    let begins: Bool
    let ends: Bool
    let serial: UInt32
    /// The page's length, header included.
    let byteCount: Int

    /// - Returns: `nil` if it is not a complete page header.
    init?(_ header: [UInt8]) {
      guard header.count >= 27, header.text(at: 0) == "OggS", header[4] == 0 else { return nil }
      let end = 27 + Int(header[26])
      guard header.count >= end else { return nil }
      begins = header[5] & 2 != 0
      ends = header[5] & 4 != 0
      serial = header.uint32(at: 14)
      byteCount = end + header[27..<end].reduce(0) { $0 + Int($1) }
    }
  }
}
