import DAWErrors

extension MIDIFile {
  /// Encodes the file. Channel messages use running status; a meta event or system exclusive message ends it.
  /// - Throws: `MIDIFileWriteError.tooLong`.
  public func encoded() throws(MIDIFileWriteError) -> [UInt8] {
    guard tracks.count <= Self.maximumTrackCount else { throw .tooManyTracks(tracks.count) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(tracks.reduce(14) { $0 + 5 * $1.events.count + 64 })
    bytes += Array("MThd".utf8)
    bytes.append(bigEndian: UInt32(6))
    bytes.append(bigEndian: UInt16(format.rawValue))
    bytes.append(bigEndian: UInt16(tracks.count))
    bytes.append(bigEndian: division.encoded)
    for track in tracks {
      bytes += Array("MTrk".utf8)
      let lengthOffset = bytes.count
      bytes.append(bigEndian: UInt32(0))
      track.encode(into: &bytes)
      guard let length = UInt32(exactly: bytes.count - lengthOffset - 4) else { throw .tooLong }
      for place in 0..<4 { bytes[lengthOffset + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place)) }
    }
    return bytes
  }

  /// Writes the file atomically: to a temporary name, which is renamed once it is complete and flushed to disk.
  /// - Parameter replaces: whether an existing file is replaced; else it is an error.
  /// - Throws: `MIDIFileWriteError`; no incomplete file is left.
  public func write(at path: String, replaces: Bool) throws(MIDIFileWriteError) {
    let bytes = try encoded()
    do throws(AudioFileWriteError) {
      try writeWholeFile(bytes, at: Place(path: path), replaces: replaces)
    } catch {
      throw .file(error)
    }
  }
}

/// Why a MIDI file could not be written. No incomplete file is left.
public enum MIDIFileWriteError: Error, Equatable, Sendable {
  case tooManyTracks(Int)
  /// A track is longer than 2³² bytes.
  case tooLong
  case file(AudioFileWriteError)
}

extension MIDIFileWriteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooManyTracks(let count):
      "A MIDI file has room for \(MIDIFile.maximumTrackCount) tracks, not for \(count). Export fewer with --track."
    case .tooLong: "A track is longer than the 4 GiB that a MIDI file has room for. Export a part with --from and --to."
    case .file(let error): error.description
    }
  }
}

extension MIDIFileWriteError: DAWError {
  public var kind: ErrorKind { if case .file(let error) = self { error.kind } else { .invalid } }
  public var code: String { if case .file(let error) = self { error.code } else { "tooLong" } }
}

extension MIDIFileTrack {
  /// The longest delta time, four bytes. A longer pause is split by empty text events.
  static let longestDelta: Int64 = 0x0fff_ffff

  fileprivate func encode(into bytes: inout [UInt8]) {
    var tick: Int64 = 0
    var running: UInt8 = 0
    func wait(until next: Int64, _ bytes: inout [UInt8]) {
      var delta = max(0, next - tick)
      tick = max(tick, next)
      while delta > Self.longestDelta {
        bytes.append(quantity: Int(Self.longestDelta))
        bytes += [MIDIFileEvent.meta, MIDIFileMeta.TextKind.text.rawValue, 0]
        running = 0
        delta -= Self.longestDelta
      }
      bytes.append(quantity: Int(delta))
    }
    for event in events {
      wait(until: event.tick, &bytes)
      if event.isChannelMessage {
        if event.status != running { bytes.append(event.status) }
        running = event.status
        bytes.append(event.data1)
        if event.status & 0xe0 != 0xc0 { bytes.append(event.data2) }
      } else {
        running = 0
        let payload = payload(of: event)
        bytes.append(event.status)
        if event.status == MIDIFileEvent.meta { bytes.append(event.data1) }
        bytes.append(quantity: payload.count)
        bytes += payload
      }
    }
    wait(until: endTick, &bytes)
    bytes += [MIDIFileEvent.meta, MIDIFileMeta.endOfTrackType, 0]
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// A variable-length quantity of up to 2²⁸ − 1.
  fileprivate mutating func append(quantity value: Int) {
    if value < 0x80 {
      append(UInt8(value))
      return
    }
    var shift = 21
    while shift > 0, value >> shift == 0 { shift -= 7 }
    while shift > 0 {
      append(UInt8(truncatingIfNeeded: value >> shift) | 0x80)
      shift -= 7
    }
    append(UInt8(value & 0x7f))
  }
}
