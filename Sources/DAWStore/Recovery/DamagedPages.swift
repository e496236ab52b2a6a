import CFileSystem
import Foundation
import GRDB

/// The pages of an SQLite file that need not be whole, with what its write-ahead log has of them, or the journal of a
/// transaction that a power cut has interrupted. Only bytes are read: no SQL of the file is parsed or run, and what the
/// file says about itself is believed only where it can be true.
/// - SeeAlso: https://www.sqlite.org/fileformat2.html
final class DamagedPages {
  /// In bytes.
  let pageSize: Int
  /// Bytes of a page that hold content.
  let usableSize: Int
  let pageCount: Int
  /// The schema version, by the file's `user_version`; 0 if its first page cannot be read.
  let version: Int
  /// Whether the file's first page is one of an SQLite file.
  let hasHeader: Bool

  private let file: DatabaseBytes
  private let log: WriteAheadLog?
  private let journal: RollbackJournal?
  /// The pages of the file that lie on disk, and those of the log, in order.
  let present: [ClosedRange<Int>]
  /// How many these are.
  let presentCount: Int
  /// Whether an interrupted transaction cannot be taken back as a whole.
  var isTorn: Bool { journal?.isTorn ?? false }

  /// The size of the pages of files that daw makes.
  private static let usualPageSize = 4096

  /// - Throws: `StoreError.missing`; `.notAProject` if it is not a regular file; `DatabaseError` if nothing can be read.
  init(of path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw StoreError.missing(path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError.notAProject(path: path) }
    file = try DatabaseBytes(of: path)
    let head = try file.read(at: 0, count: 100)
    let declared = Self.pageSize(in: head)
    // A backup that was copied over the file that the log is of is read without it, and not mixed with that file.
    let log = declared != nil && Header.isWithoutLog(head) ? nil : WriteAheadLog(path + "-wal")
    let journal = RollbackJournal(path + "-journal")
    let pageSize = declared ?? log?.pageSize ?? journal?.pageSize ?? Self.usualPageSize
    self.pageSize = pageSize
    self.log = log?.pageSize == pageSize ? log : nil
    self.journal = journal?.pageSize == pageSize ? journal : nil
    let byteCount = try file.byteCount()
    let inFile = self.journal?.pageCount ?? (byteCount + pageSize - 1) / pageSize
    pageCount = min(Self.greatestPageCount, max(self.log?.offsets.keys.max() ?? 0, inFile))
    var onDisk = Self.pages(of: path, status, pageSize)
    for saved in [self.log?.offsets, self.journal?.offsets] {
      onDisk += (saved?.keys.sorted() ?? []).map { $0...$0 }
    }
    present = Self.joined(onDisk, upTo: pageCount)
    presentCount = present.reduce(0) { $0 + $1.count }
    let header = self.log?.page(1) ?? self.journal?.page(1) ?? head
    hasHeader = Self.pageSize(in: header) == pageSize
    version = hasHeader ? Int(clamping: header.number(at: 60, bytes: 4)) : 0
    let reserved = hasHeader ? Int(header[20]) : 0
    usableSize = pageSize - (pageSize - reserved >= 480 ? reserved : 0)
  }

  private static func pageSize(in header: [UInt8]) -> Int? {
    guard header.count >= 100, header.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
    let size = header.number(at: 16, bytes: 2) == 1 ? 65_536 : Int(header.number(at: 16, bytes: 2))
    return size >= 512 && size & (size - 1) == 0 ? size : nil
  }

  /// SQLite's own limit.
  private static let greatestPageCount = 0xffff_fffe

  /// The pages of a file that lie on disk, at least in part. Of a sparse file of any length they are found at once.
  private static func pages(of path: String, _ status: stat, _ pageSize: Int) -> [ClosedRange<Int>] {
    let length = Int64(status.st_size)
    let all = length > 0 ? [1...Int((length - 1) / Int64(pageSize)) + 1] : []
    guard Int64(status.st_blocks) * 512 < length else { return all }
    // Closed here, it would take the locks of this process's connections to the file with it: recovery has none.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return all }
    defer { close(descriptor) }
    var (pages, offset): ([ClosedRange<Int>], Int64) = ([], 0)
    while offset < length {
      let start = daw_next_data(descriptor, offset)
      if start < 0 { return errno == ENXIO ? pages : all }
      let end = daw_next_hole(descriptor, start)
      guard end > start else { return all }
      pages.append(Int(start / Int64(pageSize)) + 1...Int((end - 1) / Int64(pageSize)) + 1)
      offset = end
    }
    return pages
  }

  /// The ranges in order, without overlaps.
  private static func joined(_ ranges: [ClosedRange<Int>], upTo last: Int) -> [ClosedRange<Int>] {
    var joined: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound <= last {
      let range = range.clamped(to: 1...last)
      if let before = joined.last, range.lowerBound <= before.upperBound + 1 {
        joined[joined.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// - Parameter number: from 1.
  /// - Returns: `nil` for a page that is not there as a whole.
  func page(_ number: Int) -> [UInt8]? {
    guard (1...max(1, pageCount)).contains(number) else { return nil }
    if let page = log?.page(number) ?? journal?.page(number) { return page }
    guard let page = try? file.read(at: (number - 1) * pageSize, count: pageSize), page.count == pageSize else {
      return nil
    }
    return page
  }

  /// The pages that the file does not use; they may hold rows that were removed.
  func freePages() -> Set<Int> {
    guard hasHeader, let first = page(1) else { return [] }
    var free: Set<Int> = []
    var trunk = Int(first.number(at: 32, bytes: 4))
    while trunk > 0, free.insert(trunk).inserted, let page = page(trunk) {
      let count = min(Int(page.number(at: 4, bytes: 4)), usableSize / 4 - 2)
      for index in 0..<max(0, count) { free.insert(Int(page.number(at: 8 + 4 * index, bytes: 4))) }
      trunk = Int(page.number(at: 0, bytes: 4))
    }
    return free
  }
}

/// The pages of the committed transactions of a write-ahead log, as far as its checksums hold.
/// - SeeAlso: https://www.sqlite.org/fileformat2.html, section 4
private final class WriteAheadLog {
  let pageSize: Int
  /// Where in the log the newest version of a page is.
  private(set) var offsets: [Int: Int] = [:]
  private let descriptor: Int32

  /// `nil` if there is no log that can be read.
  init?(_ path: String) {
    // A log may be opened here: no process holds POSIX locks on it.
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    // Below, all properties are set before this fails: then `deinit` closes the file.
    var status = stat()
    var header = [UInt8](repeating: 0, count: 32)
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      pread(descriptor, &header, 32, 0) == 32, [0x377f_0682, 0x377f_0683].contains(header.number(at: 0, bytes: 4))
    else {
      pageSize = 0
      return nil
    }
    let size = Int(header.number(at: 8, bytes: 4))
    let isBigEndian = header[3] == 0x83
    var sum = Checksum(isBigEndian: isBigEndian)
    sum.add(header, 0..<24)
    guard size >= 512, size <= 65_536, size & (size - 1) == 0, sum.isEqual(to: header, at: 24) else {
      pageSize = 0
      return nil
    }
    pageSize = size
    readFrames(byteCount: Int(status.st_size), salt: Array(header[16..<24]), sum)
  }

  deinit { close(descriptor) }

  func page(_ number: Int) -> [UInt8]? {
    guard let offset = offsets[number] else { return nil }
    var page = [UInt8](repeating: 0, count: pageSize)
    return pread(descriptor, &page, pageSize, off_t(offset)) == pageSize ? page : nil
  }

  private func readFrames(byteCount: Int, salt: [UInt8], _ start: Checksum) {
    var sum = start
    var (offset, uncommitted): (Int, [Int: Int]) = (32, [:])
    var frame = [UInt8](repeating: 0, count: 24 + pageSize)
    while offset + frame.count <= byteCount, pread(descriptor, &frame, frame.count, off_t(offset)) == frame.count {
      sum.add(frame, 0..<8)
      sum.add(frame, 24..<frame.count)
      let number = Int(frame.number(at: 0, bytes: 4))
      guard Array(frame[8..<16]) == salt, sum.isEqual(to: frame, at: 16), number > 0 else { return }
      uncommitted[number] = offset + 24
      if frame.number(at: 4, bytes: 4) != 0 {
        offsets.merge(uncommitted) { $1 }
        uncommitted = [:]
      }
      offset += frame.count
    }
  }

  private struct Checksum {
    let isBigEndian: Bool
    private var (first, second): (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// - Parameter range: a multiple of 8 bytes.
    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
      bytes.withUnsafeBytes { bytes in
        func word(at place: Int) -> UInt32 {
          let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
          return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
          first = first &+ word(at: place) &+ second
          second = second &+ word(at: place + 4) &+ first
        }
      }
    }

    func isEqual(to bytes: [UInt8], at place: Int) -> Bool {
      UInt64(first) == bytes.number(at: place, bytes: 4) && UInt64(second) == bytes.number(at: place + 4, bytes: 4)
    }
  }
}

extension [UInt8] {
  /// A big-endian number; the bytes must be there.
  func number(at place: Int, bytes count: Int) -> UInt64 {
    self[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
