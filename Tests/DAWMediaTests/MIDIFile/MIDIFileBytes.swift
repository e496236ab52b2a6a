import DAWMedia

/// Bytes of MIDI files, put together chunk by chunk, so that anything in them can be wrong.
enum MIDIFileBytes {
  static func chunk(_ name: String, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
    let count = length ?? body.count
    return Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + body
  }

  static func header(format: Int = 1, trackCount: Int, division: UInt16 = 480) -> [UInt8] {
    chunk(
      "MThd",
      [
        0, UInt8(format), UInt8(trackCount >> 8), UInt8(trackCount & 0xff), UInt8(division >> 8),
        UInt8(division & 0xff),
      ])
  }

  static let endOfTrack: [UInt8] = [0, 0xff, 0x2f, 0]

  /// A file of tracks whose events are given with their delta times, and without the End of Track.
  static func file(format: Int = 1, division: UInt16 = 480, _ tracks: [[UInt8]]) -> [UInt8] {
    header(format: format, trackCount: tracks.count, division: division)
      + tracks.flatMap { chunk("MTrk", $0 + endOfTrack) }
  }

  /// A RIFF wrapping around a file, behind a chunk of odd length.
  static func wrapped(_ file: [UInt8]) -> [UInt8] {
    func riff(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
        + (body.count.isMultiple(of: 2) ? [] : [0])
    }
    return riff("RIFF", Array("RMID".utf8) + riff("DISP", [1, 2, 3]) + riff("data", file))
  }
}

extension MIDIFileTrack {
  /// Its channel messages as (tick, status, data, data), for comparison.
  var messages: [[Int64]] {
    events.filter(\.isChannelMessage).map { [$0.tick, Int64($0.status), Int64($0.data1), Int64($0.data2)] }
  }
}
