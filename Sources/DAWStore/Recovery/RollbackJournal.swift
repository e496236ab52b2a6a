import Foundation

/// The pages as they were before a transaction that was not completed: what a power cut leaves where the project is on
/// a network file system, on which SQLite keeps no write-ahead log.
/// - SeeAlso: https://www.sqlite.org/fileformat2.html, section 3
final class RollbackJournal {
  private(set) var pageSize = 0
  /// The pages of the file before the transaction.
  private(set) var pageCount = 0
  /// Where in the journal a page is.
  private(set) var offsets: [Int: Int] = [:]
  /// Whether it has fewer pages than it says.
  private(set) var isTorn = false
  private let descriptor: Int32

  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// `nil` if there is no journal, or its transaction was completed.
  init?(_ path: String) {
    // No process holds POSIX locks on a journal.
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    // All properties are set: where this fails, `deinit` closes the file.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      readRecords(byteCount: Int(status.st_size))
    else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func page(_ number: Int) -> [UInt8]? {
    offsets[number].flatMap { read(at: $0, count: pageSize) }
  }

  private func read(at offset: Int, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }

  private static func isSize(_ size: Int, atLeast least: Int) -> Bool {
    (least...65_536).contains(size) && size & (size - 1) == 0
  }

  /// - Returns: whether it begins with a header.
  private func readRecords(byteCount: Int) -> Bool {
    var (offset, sectorSize) = (0, 0)
    while let header = read(at: offset, count: 28), header.starts(with: Self.magic) {
      let nonce = UInt32(truncatingIfNeeded: header.number(at: 12, bytes: 4))
      if offset == 0 {
        sectorSize = Int(header.number(at: 20, bytes: 4))
        pageSize = Int(header.number(at: 24, bytes: 4))
        pageCount = Int(header.number(at: 16, bytes: 4))
        guard Self.isSize(sectorSize, atLeast: 32), Self.isSize(pageSize, atLeast: 512) else { return false }
      }
      offset += sectorSize
      let count = header.number(at: 8, bytes: 4)
      let recordSize = pageSize + 8
      let possible = max(0, byteCount - offset) / recordSize
      isTorn = isTorn || count != 0xffff_ffff && count > possible
      for _ in 0..<(count == 0xffff_ffff ? possible : min(possible, Int(count))) {
        guard let record = read(at: offset, count: recordSize), record.number(at: 0, bytes: 4) > 0,
          record.number(at: 4 + pageSize, bytes: 4) == UInt64(checksum(record, nonce))
        else {
          isTorn = true
          return true
        }
        let number = Int(record.number(at: 0, bytes: 4))
        // The first is the oldest.
        if offsets[number] == nil { offsets[number] = offset + 4 }
        offset += recordSize
      }
      offset = (offset + sectorSize - 1) / sectorSize * sectorSize
    }
    return pageSize > 0
  }

  /// The checksum of a record: of every 200th byte of its page, from the end.
  private func checksum(_ record: [UInt8], _ nonce: UInt32) -> UInt32 {
    stride(from: pageSize - 200, to: 0, by: -200).reduce(nonce) { $0 &+ UInt32(record[4 + $1]) }
  }
}
