import Foundation

/// Checks the structure of a SoundFont: its chunks are complete and in order, and the tables' references are valid.
/// Reads the tables; the samples are not read.
///
/// FluidSynth refuses the same files, but passes them on to a library for other formats, which writes to standard
/// error.
/// - SeeAlso: SoundFont Technical Specification 2.04, sections 4 and 7.
struct SoundFontStructure {
  private let descriptor: CInt
  private let byteCount: Int64

  /// The tables in order, with the size of their records in bytes.
  private static let tables: [(id: String, recordSize: Int)] = [
    ("phdr", 38), ("pbag", 4), ("pmod", 10), ("pgen", 4), ("inst", 22), ("ibag", 4), ("imod", 10), ("igen", 4),
    ("shdr", 46),
  ]
  /// References from records to the first of their records in another table: the index of the table, the byte in its
  /// records, the index of the other table.
  private static let references: [(from: Int, byte: Int, to: Int)] = [
    (0, 24, 1), (1, 0, 3), (1, 2, 2), (4, 20, 5), (5, 0, 7), (5, 2, 6),
  ]
  /// Tables are small; a longer one is refused.
  private static let longestTable: Int64 = 1 << 28

  /// - Parameter descriptor: of a file open for reading; its position is not used.
  init?(descriptor: CInt) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.descriptor = descriptor
    byteCount = Int64(status.st_size)
  }

  private struct Chunk {
    var id: String
    /// The range of the chunk's content.
    var start: Int64
    var end: Int64
  }

  /// Whether the structure is complete and valid.
  var isWhole: Bool {
    guard let tables else { return false }
    return Self.references.allSatisfy { Self.isInOrder($0, tables) }
  }

  /// The name of each preset: its first 20 bytes, then its program and bank; the last record only ends the table.
  /// - SeeAlso: section 7.2, `sfPresetHeader`
  var presetNames: [SoundFontProgram: String] {
    guard let headers = tables?.first else { return [:] }
    let size = Self.tables[0].recordSize
    var names: [SoundFontProgram: String] = [:]
    for record in stride(from: 0, to: headers.count - size, by: size) {
      func number(_ byte: Int) -> Int { Int(headers[record + byte]) | Int(headers[record + byte + 1]) << 8 }
      let name = headers[record..<record + 20].prefix { $0 != 0 }
      names[SoundFontProgram(bank: number(22), program: number(20))] = String(decoding: name, as: UTF8.self)
    }
    return names
  }

  private var tables: [[UInt8]]? {
    guard let riff = chunk(at: 0, before: byteCount), riff.id == "RIFF" else { return nil }
    var place = riff.start + 4
    var lists: [String: Chunk] = [:]
    for expected in ["INFO", "sdta", "pdta"] {
      guard let list = chunk(at: place, before: riff.end), list.id == "LIST", text(at: list.start) == expected else {
        return nil
      }
      lists[expected] = list
      place = list.end
    }
    return lists["pdta"].flatMap(tables)
  }

  /// Each table's bytes; `nil` if one is missing, out of order or of the wrong size.
  private func tables(of list: Chunk) -> [[UInt8]]? {
    var place = list.start + 4
    var tables: [[UInt8]] = []
    for (id, recordSize) in Self.tables {
      guard let table = chunk(at: place, before: list.end), table.id == id,
        case let length = table.end - table.start, length.isMultiple(of: Int64(recordSize)),
        length <= Self.longestTable, let bytes = bytes(at: table.start, count: Int(length))
      else { return nil }
      tables.append(bytes)
      place = table.end
    }
    return tables
  }

  /// Whether a table's references ascend and stay within the other table. The final one may be missing, as in files of
  /// some old editors.
  private static func isInOrder(_ reference: (from: Int, byte: Int, to: Int), _ tables: [[UInt8]]) -> Bool {
    let size = Self.tables[reference.from].recordSize
    let count = tables[reference.to].count / Self.tables[reference.to].recordSize
    let table = tables[reference.from]
    var last = 0
    for record in stride(from: 0, to: table.count, by: size) {
      let place = record + reference.byte
      let index = Int(table[place]) | Int(table[place + 1]) << 8
      guard index >= last, index <= count else { return false }
      last = index
    }
    return true
  }

  private func chunk(at place: Int64, before end: Int64) -> Chunk? {
    guard place + 8 <= end, let head = bytes(at: place, count: 8) else { return nil }
    let size = head[4...].enumerated().reduce(Int64(0)) { $0 | Int64($1.element) << (8 * Int64($1.offset)) }
    guard place + 8 + size <= end else { return nil }
    return Chunk(id: String(decoding: head[..<4], as: UTF8.self), start: place + 8, end: place + 8 + size)
  }

  private func text(at place: Int64) -> String? {
    bytes(at: place, count: 4).map { String(decoding: $0, as: UTF8.self) }
  }

  private func bytes(at place: Int64, count: Int) -> [UInt8]? {
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while done < count {
        let result = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(place) + off_t(done))
        if result < 0, errno == EINTR { continue }
        guard result > 0 else { break }
        done += result
      }
      initialized = done
    }
    return done == count ? bytes : nil
  }
}
