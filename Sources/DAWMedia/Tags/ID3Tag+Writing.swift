/// ID3 version 2.4, with texts in UTF-8, and chapters.
/// - SeeAlso: id3.org, "ID3 tag version 2.4.0", Structure and Native Frames; "ID3v2 Chapter Frame Addendum" 1.0.
extension ID3Tag {
  static func bytes(of tags: FileTags) -> [UInt8] {
    var frames: [UInt8] = []
    for (name, text) in [
      ("TIT2", tags.title), ("TPE1", tags.artist), ("TALB", tags.album), ("TRCK", tags.trackNumber?.description),
    ] {
      if let text { frames += frame(name, textBody(text)) }
    }
    if let comment = tags.comment {
      // Its language is not known; players show a comment in this one.
      frames += frame("COMM", [utf8] + Array("eng".utf8) + [0] + Array(comment.utf8))
    }
    if !tags.chapters.isEmpty {
      let names = tags.chapters.indices.map { Array("chapter\($0 + 1)".utf8) + [0] }
      // Top level, in order.
      frames += frame("CTOC", Array("contents".utf8) + [0, 3, UInt8(names.count)] + names.joined())
      for (name, chapter) in zip(names, tags.chapters) {
        var body = name
        body.append(bigEndian: Int(chapter.start))
        body.append(bigEndian: Int(chapter.end))
        // No byte offsets: the times count.
        body += [UInt8](repeating: 0xff, count: 8)
        frames += frame("CHAP", body + frame("TIT2", textBody(chapter.name)))
      }
    }
    if let cover = tags.cover {
      frames += frame("APIC", [0] + Array(cover.mediaType.utf8) + [0, frontCover, 0] + cover.bytes)
    }
    return Array("ID3".utf8) + [4, 0, 0] + size(frames.count) + frames
  }

  private static let utf8: UInt8 = 3
  private static let frontCover: UInt8 = 3

  private static func textBody(_ text: String) -> [UInt8] { [utf8] + Array(text.utf8) }

  private static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + size(body.count) + [0, 0] + body
  }

  /// Seven bits to a byte.
  private static func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7f) } }
}
