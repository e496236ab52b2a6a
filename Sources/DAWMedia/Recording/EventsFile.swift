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
  /// Bounds the memory for another's file.
  private static let maximumFileByteCount: Int64 = 1 << 30

  /// Reads a file up to the first record that is damaged.
  /// - Parameter body: called with each event, in order.
  /// - Throws: `.damaged` if its header is; the errors of opening.
  public init(
    _ name: String, in folder: RecordingFolder, _ body: (RecordedEvent) -> Void
  ) throws(AudioFileError) {
    let file = try OpenAudioFile(name, in: folder.folder)
    guard file.byteCount <= Self.maximumFileByteCount else { throw .damaged(path: file.path, reason: "too long") }
    let bytes = try file.bytes(at: 0, count: Int(file.byteCount))
    guard bytes.starts(with: Self.magic.utf8) else { throw .unrecognized(path: file.path) }
    var recording: RecordingHeader?
    var parser = LedgerRecordParser()
    let accepted = bytes.withUnsafeBytes { bytes in
      CheckedLine.forEach(in: UnsafeRawBufferPointer(rebasing: bytes[Self.magic.utf8.count...])) { json in
        guard recording == nil, case .begin(let header)? = parser.record(json) else { return false }
        recording = header
        return true
      }
    }
    guard let recording else { throw .damaged(path: file.path, reason: "its header") }
    header = recording
    let frames = RecordingLimits.frames(at: SampleRate(hertz: recording.sampleRate))
    var place = Self.magic.utf8.count + accepted
    while let (event, end) = Self.record(in: bytes, at: place) {
      if event.passFrame == Self.passFrameOfHeader {
        guard let pass = Self.pass(event.bytes, &parser), pass.pass == event.pass else { break }
        passes.append(pass)
      } else {
        guard frames.contains(event.passFrame) else { break }
        body(event)
      }
      place = end
    }
    damagedFrom = place == bytes.count ? nil : Int64(place)
  }

  private static func record(in bytes: [UInt8], at place: Int) -> (RecordedEvent, end: Int)? {
    guard place + headByteCount + 4 <= bytes.count else { return nil }
    let count = Int(bytes.uint32(at: place))
    let end = place + headByteCount + count
    guard count <= maximumByteCount, end + 4 <= bytes.count,
      bytes[place..<end].withUnsafeBytes(CheckedLine.checksum) == bytes.uint32(at: end)
    else { return nil }
    let event = RecordedEvent(
      pass: Int64(bitPattern: bytes.uint64(at: place + 4)), passFrame: Int64(bitPattern: bytes.uint64(at: place + 12)),
      bytes: Array(bytes[(place + headByteCount)..<end]))
    return (event, end + 4)
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
