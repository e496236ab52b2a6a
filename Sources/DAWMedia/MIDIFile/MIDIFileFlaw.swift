/// A deviation from the standard in a MIDI file, and its offset.
public struct MIDIFileFlaw: Error, Hashable, Sendable {
  /// Bytes from the start of the file, also within RIFF.
  public var byteOffset: Int
  public var problem: Problem

  public enum Problem: Hashable, Sendable {
    // Serious: the file is refused, unless it is read leniently.

    /// - Parameter found: up to four bytes.
    case noHeader(found: [UInt8])
    /// The file ends within its header.
    case headerCut
    case headerTooShort(byteCount: Int)
    case unknownFormat(Int)
    /// - Parameter bits: the header's 16.
    case division(bits: UInt16)
    /// No `MTrk` chunk at all.
    case noTrack
    case tooManyTracks
    /// Data that is not a chunk, followed by another track.
    case noChunk(found: [UInt8])
    /// The file ends before the track's End of Track, and before the length that the track gives.
    case trackCut
    /// The file ends within an event.
    case eventCut
    /// An event extends beyond its track's end.
    case eventBeyondTrack
    /// A data byte without a status. - Parameter isCancelled: whether running status was ended by a meta event or
    /// system exclusive message.
    case noStatus(found: UInt8, isCancelled: Bool)
    case dataByte(found: UInt8)
    /// A status that is not allowed in files: 0xF1 … 0xF6, 0xF8 … 0xFE.
    case systemMessage(status: UInt8)
    /// A variable-length quantity of more than four bytes.
    case longQuantity
    /// A text or message that is longer than the rest of the file.
    case payloadBeyondEnd(byteCount: Int, available: Int)

    // Minor: the file is read, and the flaw reported.

    case longHeader(byteCount: Int)
    case trackCount(promised: Int, found: Int)
    case severalTracksInFormat0
    case trackLength(promised: Int, found: Int)
    case noEndOfTrack
    case bytesAfterEndOfTrack(count: Int)
    case skippedChunk(name: String, byteCount: Int)
    case skippedBytes(count: Int)
  }

  public init(_ problem: Problem, at byteOffset: Int) {
    self.byteOffset = byteOffset
    self.problem = problem
  }

  /// Whether it is serious: the file is refused, unless it is read leniently.
  public var isSerious: Bool {
    switch problem {
    case .longHeader, .trackCount, .severalTracksInFormat0, .trackLength, .noEndOfTrack, .bytesAfterEndOfTrack,
      .skippedChunk, .skippedBytes:
      false
    default: true
    }
  }
}

extension MIDIFileFlaw: CustomStringConvertible {
  public var description: String { "At byte \(byteOffset): \(problem)." }
}

extension MIDIFileFlaw.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noHeader(let found): "expected the header 'MThd', found \(hexadecimal(found))"
    case .headerCut: "expected the rest of the header, 'MThd', found the end of the file"
    case .headerTooShort(let count): "expected a header of at least 6 bytes, found a length of \(count)"
    case .unknownFormat(let format): "expected format 0, 1 or 2, found \(format)"
    case .division(let bits):
      "expected a division of 1 … 32,767 ticks to the quarter note, or of 24, 25, 29 or 30 frames a second, "
        + "found \(hexadecimal([UInt8(bits >> 8), UInt8(bits & 0xff)]))"
    case .noTrack: "expected a track, 'MTrk', found the end of the file"
    case .tooManyTracks: "expected at most \(MIDIFile.maximumTrackCount) tracks, found one more"
    case .noChunk(let found): "expected a track, 'MTrk', or the end of the file, found \(hexadecimal(found))"
    case .trackCut: "expected the track's next event or its End of Track, found the end of the file"
    case .eventCut: "expected the rest of an event, found the end of the file"
    case .eventBeyondTrack: "expected the end of an event, found the end of its track"
    case .noStatus(let found, false): "expected a status byte, found \(hexadecimal([found]))"
    case .noStatus(let found, true):
      "expected a status byte, since a meta event or system exclusive ends running status, found \(hexadecimal([found]))"
    case .dataByte(let found): "expected a data byte, 00 … 7F, found \(hexadecimal([found]))"
    case .systemMessage(let status): "expected an event that files can have, found the status \(hexadecimal([status]))"
    case .longQuantity: "expected a variable-length quantity of at most 4 bytes, found a longer one"
    case .payloadBeyondEnd(let count, let available):
      "expected text or a message that ends within the file, found a length of \(count) with \(available) bytes left"
    case .longHeader(let count): "the header has \(count) bytes, of which 6 are used"
    case .trackCount(let promised, let found): "the header says \(promised) tracks, and \(found) are there"
    case .severalTracksInFormat0: "a file of format 0 has more than one track"
    case .trackLength(let promised, let found): "a track says that it has \(promised) bytes, and has \(found)"
    case .noEndOfTrack: "a track has no End of Track; it ends with its chunk"
    case .bytesAfterEndOfTrack(let count): "\(byteCount(count)) after an End of Track passed over"
    case .skippedChunk(let name, let count): "a chunk '\(name)' of \(byteCount(count)) passed over"
    case .skippedBytes(let count): "\(byteCount(count)) passed over that belong to no chunk"
    }
  }

  private func byteCount(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "the end of the file" }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    let isText = bytes.count == 4 && bytes.allSatisfy { (0x20...0x7e).contains($0) }
    return isText ? "'\(String(decoding: bytes, as: UTF8.self))'" : digits
  }
}

/// The flaws of a file, in order of discovery.
public struct MIDIFileFlaws: Equatable, Sendable {
  public private(set) var first: [MIDIFileFlaw] = []
  /// The number of all flaws, including those not in `first`.
  public private(set) var count = 0

  /// Limited, so that a broken file does not fill the memory.
  public static let maximumListed = 100

  mutating func append(_ flaw: MIDIFileFlaw) {
    count += 1
    if first.count < Self.maximumListed { first.append(flaw) }
  }

  public var isEmpty: Bool { count == 0 }
}
