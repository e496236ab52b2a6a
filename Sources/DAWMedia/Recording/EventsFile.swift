import DAWTime
import Glibc

/// A message that a MIDI track received.
public struct RecordedEvent: Hashable, Sendable {
  public var pass: Int64
  /// In frames of the pass.
  public var passFrame: Int64
  /// A whole message.
  public var bytes: [UInt8]

  public init(pass: Int64, passFrame: Int64, bytes: [UInt8]) {
    self.pass = pass
    self.passFrame = passFrame
    self.bytes = bytes
  }
}

/// The file of a track's MIDI, `Keys.events`: a line `daw-events 1`, the ledger's record of the recording as a line,
/// and binary records. Each is the number of its bytes (32 bits), the pass (64), the frame (64), the bytes, and the
/// CRC-32 of all these, little-endian. A record at frame −1 begins a pass; its bytes are the ledger's record of that,
/// as a line.
public struct EventsFile {
  public var header: RecordingHeader
  public var passes: [PassHeader] = []
  /// The offset of the first byte that is in no whole record; `nil` if there is none.
  public var damagedFrom: Int64?

  static let magic = "daw-events 1\n"
  static let headByteCount = 20
  static let passFrameOfHeader: Int64 = -1
  /// The most bytes of a message.
  public static let maximumByteCount = 1 << 24

  /// Reads a file up to the first record that is damaged, a piece at a time.
  /// - Parameter body: called with each event, in order.
  /// - Throws: `.damaged` if its header is; the errors of opening and of reading, also behind events.
  public init(
    _ name: String, in folder: RecordingFolder, _ body: (RecordedEvent) -> Void
  ) throws(AudioFileError) {
    var source = EventBytes(try OpenAudioFile(name, in: folder.folder))
    try source.begin()
    guard source.bytes.starts(with: Self.magic.utf8) else { throw .unrecognized(path: source.file.path) }
    var recording: RecordingHeader?
    var parser = LedgerRecordParser()
    let accepted = source.bytes.withUnsafeBytes { bytes in
      CheckedLine.forEach(in: UnsafeRawBufferPointer(rebasing: bytes[Self.magic.utf8.count...])) { json in
        guard recording == nil, case .begin(let header)? = parser.record(json) else { return false }
        recording = header
        return true
      }
    }
    guard let recording else { throw .damaged(path: source.file.path, reason: "its header") }
    header = recording
    let frames = RecordingLimits.frames(at: SampleRate(hertz: recording.sampleRate))
    var place = Int64(Self.magic.utf8.count + accepted)
    while let (event, end) = try source.record(at: place) {
      if event.passFrame == Self.passFrameOfHeader {
        guard let pass = Self.pass(event.bytes, &parser), pass.pass == event.pass else { break }
        passes.append(pass)
      } else {
        guard frames.contains(event.passFrame) else { break }
        body(event)
      }
      place = end
    }
    damagedFrom = place == source.file.byteCount ? nil : place
  }

  private static func pass(_ line: [UInt8], _ parser: inout LedgerRecordParser) -> PassHeader? {
    var pass: PassHeader?
    _ = line.withUnsafeBytes { bytes in
      CheckedLine.forEach(in: bytes) { json in
        guard case .pass(let found)? = parser.record(json) else { return false }
        pass = found
        return true
      }
    }
    return pass
  }
}

/// The bytes of an events file, of which a piece is in memory: in days of MIDI there may be more than that holds.
private struct EventBytes {
  let file: OpenAudioFile
  /// A piece of the file.
  private(set) var bytes: [UInt8] = []
  /// The offset of its first byte.
  private var start: Int64 = 0

  /// The least bytes of a piece, but for the last. More than what the file begins with.
  private static let pieceByteCount = 1 << 20

  init(_ file: OpenAudioFile) { self.file = file }

  /// Reads the first piece.
  mutating func begin() throws(AudioFileError) { try readPiece(at: 0, atLeast: 0) }

  /// - Returns: `nil` where there is no whole record, or it is damaged.
  mutating func record(at place: Int64) throws(AudioFileError) -> (RecordedEvent, end: Int64)? {
    guard let head = try index(of: place, count: EventsFile.headByteCount) else { return nil }
    let count = Int(bytes.uint32(at: head))
    guard count <= EventsFile.maximumByteCount,
      let first = try index(of: place, count: EventsFile.headByteCount + count + 4)
    else { return nil }
    let end = first + EventsFile.headByteCount + count
    guard bytes[first..<end].withUnsafeBytes(CheckedLine.checksum) == bytes.uint32(at: end) else { return nil }
    let event = RecordedEvent(
      pass: Int64(bitPattern: bytes.uint64(at: first + 4)), passFrame: Int64(bitPattern: bytes.uint64(at: first + 12)),
      bytes: Array(bytes[(first + EventsFile.headByteCount)..<end]))
    return (event, place + Int64(EventsFile.headByteCount + count + 4))
  }

  /// - Parameter offset: no smaller than in an earlier call.
  /// - Returns: where in `bytes` so many bytes from there on are; `nil` if the file has fewer.
  private mutating func index(of offset: Int64, count: Int) throws(AudioFileError) -> Int? {
    if offset + Int64(count) > start + Int64(bytes.count) {
      guard offset + Int64(count) <= file.byteCount else { return nil }
      try readPiece(at: offset, atLeast: count)
    }
    let index = Int(offset - start)
    // The file may have been cut since it was opened.
    return index + count <= bytes.count ? index : nil
  }

  private mutating func readPiece(at offset: Int64, atLeast count: Int) throws(AudioFileError) {
    let wanted = Int64(max(count, Self.pieceByteCount))
    bytes = try file.bytes(at: offset, count: Int(min(wanted, file.byteCount - offset)))
    start = offset
  }
}

/// Writes a track's MIDI. Used by one thread at a time.
public final class EventsWriter {
  /// The file's name.
  public let name: String
  /// The open file, for a thread that flushes it to disk.
  public let openFile: RecordedFile

  private let path: String
  private var byteCount: Int64 = 0
  private var pending: [UInt8] = []
  /// Events among what waits.
  private var pendingCount = 0
  /// Bytes of what the file begins with, before the first pass.
  private let headByteCount: Int

  /// Makes the track's file. What cannot be written to it yet waits.
  /// - Parameter pass: the first; it has begun.
  public init(
    in folder: RecordingFolder, pass: PassHeader, header: RecordingHeader
  ) throws(AudioFileWriteError) {
    name = folder.eventsName(of: pass)
    path = folder.place.appending(name).path
    openFile = try folder.makeFile(name)
    var head: [UInt8] = []
    head.append(text: EventsFile.magic)
    CheckedLine.append(LedgerRecord.begin(header).json, to: &head)
    headByteCount = head.count
    pending = head
    begin(pass)
    try? flush()
  }

  /// Begins the next pass.
  public func begin(_ pass: PassHeader) {
    var line: [UInt8] = []
    CheckedLine.append(LedgerRecord.pass(pass).json, to: &line)
    add(RecordedEvent(pass: pass.pass, passFrame: EventsFile.passFrameOfHeader, bytes: line))
  }

  /// - Parameter event: of at most 16 MiB.
  public func append(_ event: RecordedEvent) {
    add(event)
    pendingCount += 1
  }

  private func add(_ event: RecordedEvent) {
    let start = pending.count
    pending.append(littleEndian: UInt32(event.bytes.count))
    pending.append(littleEndian: event.pass)
    pending.append(littleEndian: event.passFrame)
    pending += event.bytes
    pending.append(littleEndian: pending[start...].withUnsafeBytes(CheckedLine.checksum))
  }

  /// Writes the events that wait.
  /// - Throws: `.diskFull` and others; they wait on.
  public func flush() throws(AudioFileWriteError) {
    guard !pending.isEmpty else { return }
    do throws(SystemCallFailure) {
      try FileDescriptor.write(pending, to: openFile.number, at: byteCount)
    } catch {
      ftruncate(openFile.number, off_t(byteCount))
      throw AudioFileWriteError(path: path, error)
    }
    byteCount += Int64(pending.count)
    pending.removeAll(keepingCapacity: true)
    pendingCount = 0
  }

  /// Gives up the events that could not be written, and the pass with them if its beginning was not.
  /// - Returns: how many events.
  public func dropPending() -> Int {
    defer {
      pending.removeSubrange((byteCount == 0 ? headByteCount : 0)...)
      pendingCount = 0
    }
    return pendingCount
  }
}
