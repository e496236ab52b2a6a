import Glibc

/// A recording's ledger: a text file to which records are appended, each a line with its checksum. Used by one thread
/// at a time.
public final class Ledger {
  public static let fileName = "ledger"
  /// What the names begin with of ledgers that were written anew, and had lines that this version cannot read.
  static let unreadName = "ledger.unread"

  private let file: RecordedFile
  private let path: String
  /// Bytes of whole records.
  private var byteCount: Int64 = 0

  /// Makes the file.
  /// - Throws: `.exists` if there is one.
  public init(creatingIn folder: RecordingFolder) throws(AudioFileWriteError) {
    path = folder.place.appending(Self.fileName).path
    file = try folder.makeFile(Self.fileName)
  }

  /// For tests: opens a ledger that is there, or makes one, to write behind its whole records; a damaged record, and
  /// what follows it, is cut off.
  package init(reopeningIn folder: RecordingFolder) throws(AudioFileWriteError) {
    path = folder.place.appending(Self.fileName).path
    do throws(SystemCallFailure) {
      file = RecordedFile(owning: try folder.folder.openFile(Self.fileName, O_RDWR | O_CREAT, mode: 0o600))
      byteCount = try LedgerReader.read(file.number) { _ in }.byteCount
      try cut()
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Writes records at the end, without flushing them to disk. In one call, so that a kill leaves all of them but the
  /// last.
  /// - Throws: `.diskFull` and others; then none of them is there.
  public func append(_ records: [LedgerRecord]) throws(AudioFileWriteError) {
    var bytes: [UInt8] = []
    for record in records { CheckedLine.append(record.json, to: &bytes) }
    do throws(SystemCallFailure) {
      try FileDescriptor.write(bytes, to: file.number, at: byteCount)
      byteCount += Int64(bytes.count)
    } catch {
      // The next call writes over what was written in part.
      try? cut()
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Flushes it to disk.
  public func sync() throws(AudioFileWriteError) {
    do { try file.sync() } catch { throw AudioFileWriteError(path: path, error) }
  }

  /// Locks it (`flock`) until it is closed, also by a kill: a process that cannot see this one, as one in another
  /// container or on another computer, sees that it is written.
  public func lock() { flock(file.number, LOCK_EX | LOCK_NB) }

  /// The open file, for a thread that flushes it to disk.
  public var openFile: RecordedFile { file }

  private func cut() throws(SystemCallFailure) {
    guard ftruncate(file.number, off_t(byteCount)) == 0 else { throw SystemCallFailure(call: "shorten", code: errno) }
  }

  /// Reads the records up to the first that is damaged.
  /// - Returns: `damagedFrom` is the offset of the first byte that is in no whole record; `nil` if there is none.
  /// - Throws: if the file cannot be read; its absence is an error with the code `ENOENT`.
  public static func read(
    in folder: RecordingFolder
  ) throws(SystemCallFailure) -> (records: [LedgerRecord], damagedFrom: Int64?) {
    var records: [LedgerRecord] = []
    let file = FileDescriptor(owning: try folder.folder.openFile(fileName, O_RDONLY))
    let extent = try LedgerReader.read(file.number) { records.append($0) }
    return (records, extent.byteCount == extent.fileByteCount ? nil : extent.byteCount)
  }
}

enum LedgerReader {
  /// How far a ledger was read.
  struct Extent {
    /// Bytes of the lines up to the first that is damaged.
    var byteCount: Int64 = 0
    var fileByteCount: Int64
    /// Whether lines were passed over that have the right checksum and are no records.
    var hasUnread = false
  }

  /// More than a year of 64 tracks has; bounds the memory for another's file.
  private static let maximumByteCount: Int64 = 1 << 28
  private static let pieceByteCount = 1 << 20

  /// Passes the whole records to `body`, up to the first that is damaged.
  /// - Parameter passesOver: whether a line that has the right checksum and is no record is passed over, as one of
  ///   another version of `daw`; else it counts as damaged.
  static func read(
    _ number: Int32, passingOver passesOver: Bool = false, _ body: (LedgerRecord) -> Void
  ) throws(SystemCallFailure) -> Extent {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemCallFailure(call: "stat", code: errno) }
    var extent = Extent(fileByteCount: Int64(status.st_size))
    var parser = LedgerRecordParser()
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceByteCount, alignment: 16)
    defer { piece.deallocate() }
    while extent.byteCount < maximumByteCount {
      let count = try FileDescriptor.read(number, into: piece, at: extent.byteCount)
      var hasUnread = false
      let accepted = CheckedLine.forEach(in: UnsafeRawBufferPointer(rebasing: piece[..<count])) { json in
        if let record = parser.record(json) {
          body(record)
          return true
        }
        hasUnread = hasUnread || passesOver
        return passesOver
      }
      extent.hasUnread = extent.hasUnread || hasUnread
      extent.byteCount += Int64(accepted)
      // A line is shorter than the piece, so nothing accepted means a damaged one.
      if accepted == 0 || count < piece.count { break }
    }
    return extent
  }

  /// Whether a line with the right checksum begins at an offset or behind it.
  static func hasLine(_ number: Int32, from offset: Int64) throws(SystemCallFailure) -> Bool {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceByteCount, alignment: 16)
    defer { piece.deallocate() }
    var done = offset
    while done < offset + maximumByteCount {
      let count = try FileDescriptor.read(number, into: piece, at: done)
      let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
      var start = 0
      while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        if CheckedLine.parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) != nil { return true }
        start = end + 1
      }
      if count < piece.count { break }
      // A line is shorter than the piece, so bytes without a line feed are not part of one.
      done += Int64(start == 0 ? count : start)
    }
    return false
  }
}
