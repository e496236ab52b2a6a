import DAWModel

/// A row as it lies in a page.
struct SalvagedRow: Equatable {
  var rowID: Int64
  var values: [StoredValue]
  /// The pages that it lies in.
  var pages: [Int]
}

/// Reads the b-trees of tables, as far as they can be read. No page is read twice, so a tree that contains itself ends.
/// - SeeAlso: https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1
struct DamagedTreeReader {
  let pages: DamagedPages
  private(set) var visited: Set<Int> = []
  /// Overflow pages read so far. In a whole file each belongs to one row.
  private var overflowCount = 0
  /// Bytes of rows that may still be read; they are all held in memory.
  var room: Int

  /// - Parameter room: bytes of rows that are read at most.
  init(_ pages: DamagedPages, room: Int = .max) {
    self.pages = pages
    self.room = room
  }

  struct Tree {
    var rows: [SalvagedRow] = []
    /// Pages, or rows of a page, that could not be read.
    var lostCount = 0
  }

  mutating func tree(from root: Int) -> Tree {
    var tree = Tree()
    var waiting = [root]
    while let number = waiting.popLast() {
      guard room > 0 else {
        tree.lostCount += 1
        break
      }
      guard visited.insert(number).inserted, let bytes = pages.page(number) else {
        tree.lostCount += 1
        continue
      }
      if let children = children(of: number, bytes) {
        waiting += children
      } else if let leaf = leaf(number, bytes) {
        tree.rows += leaf.rows
        room -= Self.size(of: leaf.rows)
        tree.lostCount += leaf.lostCount
      } else {
        tree.lostCount += 1
      }
    }
    return tree
  }

  /// Calls `body` with the rows of each page that no tree has led to, as long as there is room.
  /// - Parameters:
  ///   - free: pages to leave out.
  ///   - body: returns whether the rows are kept.
  mutating func forEachOrphan(without free: Set<Int>, _ body: ([SalvagedRow]) throws -> Bool) rethrows {
    for range in pages.present {
      for number in range where !visited.contains(number) && !free.contains(number) && room > 0 {
        guard let bytes = pages.page(number), let leaf = leaf(number, bytes), !leaf.rows.isEmpty else { continue }
        visited.insert(number)
        if try body(leaf.rows) { room -= Self.size(of: leaf.rows) }
      }
    }
  }

  /// About what rows take in memory, in bytes.
  private static func size(of rows: [SalvagedRow]) -> Int {
    rows.reduce(0) { size, row in
      row.values.reduce(size + rowOverhead) { size, value in
        switch value {
        case .null, .integer, .real: size
        case .text(let text): size + text.utf8.count
        case .bytes(let bytes): size + bytes.count
        }
      }
    }
  }

  // MARK: Pages

  private enum Kind: UInt8 {
    case interior = 0x05
    case leaf = 0x0d
  }

  /// The offsets of a page's cells; `nil` if the page is not of this kind.
  private func cells(_ kind: Kind, _ number: Int, _ bytes: [UInt8]) -> [Int]? {
    let start = number == 1 ? 100 : 0
    guard bytes[start] == kind.rawValue else { return nil }
    let end = start + (kind == .interior ? 12 : 8)
    let count = Int(bytes.number(at: start + 3, bytes: 2))
    guard end + 2 * count <= pages.usableSize else { return nil }
    let cells = (0..<count).map { Int(bytes.number(at: end + 2 * $0, bytes: 2)) }
    return cells.allSatisfy { $0 >= end + 2 * count && $0 < pages.usableSize - 3 } ? cells : nil
  }

  /// The numbers of the pages below an interior page, the last one first; `nil` if the page is not interior.
  private func children(of number: Int, _ bytes: [UInt8]) -> [Int]? {
    guard let cells = cells(.interior, number, bytes), cells.allSatisfy({ $0 + 5 <= pages.usableSize }) else {
      return nil
    }
    var keys: [Int64] = []
    for cell in cells {
      var place = cell + 4
      guard let key = Self.variable(bytes, &place, before: pages.usableSize) else { return nil }
      keys.append(Int64(bitPattern: key))
    }
    let rightmost = (number == 1 ? 100 : 0) + 8
    let children = cells.map { Int(bytes.number(at: $0, bytes: 4)) } + [Int(bytes.number(at: rightmost, bytes: 4))]
    guard zip(keys, keys.dropFirst()).allSatisfy(<), Set(children).count == children.count,
      children.allSatisfy({ $0 > 1 && $0 != number })
    else { return nil }
    return children.reversed()
  }

  /// The rows of a leaf; `nil` if the page is not a leaf.
  private mutating func leaf(_ number: Int, _ bytes: [UInt8]) -> (rows: [SalvagedRow], lostCount: Int)? {
    guard let cells = cells(.leaf, number, bytes) else { return nil }
    var rows: [SalvagedRow] = []
    var lostCount = 0
    var last: Int64?
    for cell in cells {
      var place = cell
      guard let length = Self.variable(bytes, &place, before: pages.usableSize),
        let id = Self.variable(bytes, &place, before: pages.usableSize).map(Int64.init(bitPattern:)),
        last.map({ $0 < id }) ?? true
      else { return nil }
      last = id
      if let row = row(id, Int(clamping: length), number, bytes, at: place) {
        rows.append(row)
      } else {
        lostCount += 1
      }
    }
    return (rows, lostCount)
  }

  // MARK: Rows

  private mutating func row(_ id: Int64, _ length: Int, _ number: Int, _ bytes: [UInt8], at place: Int) -> SalvagedRow?
  {
    let usable = pages.usableSize
    guard length <= min(pages.presentCount * usable, Self.longestRow) else { return nil }
    var local = length
    if length > usable - 35 {
      let least = (usable - 12) * 32 / 255 - 23
      let fitting = least + (length - least) % (usable - 4)
      local = fitting <= usable - 35 ? fitting : least
    }
    guard place + local + (local < length ? 4 : 0) <= usable else { return nil }
    var payload = Array(bytes[place..<place + local])
    var used = [number]
    var next = local < length ? Int(bytes.number(at: place + local, bytes: 4)) : 0
    while payload.count < length {
      overflowCount += 1
      guard next > 1, overflowCount <= 4 * pages.presentCount, let page = pages.page(next) else { return nil }
      used.append(next)
      payload += page[4..<min(usable, 4 + length - payload.count)]
      next = Int(page.number(at: 0, bytes: 4))
    }
    guard let values = Self.values(payload) else { return nil }
    visited.formUnion(used)
    return SalvagedRow(rowID: id, values: values, pages: used)
  }

  /// About what a row takes in memory beside its texts and bytes.
  private static let rowOverhead = 200

  /// SQLite's greatest length of a row, in bytes.
  private static let longestRow = 1_000_000_000

  /// The values of a record; `nil` if the bytes are not a record.
  private static func values(_ record: [UInt8]) -> [StoredValue]? {
    var place = 0
    guard let size = variable(record, &place, before: record.count).map(Int.init(clamping:)), size <= record.count
    else {
      return nil
    }
    var types: [Int] = []
    while place < size {
      guard let type = variable(record, &place, before: size) else { return nil }
      types.append(Int(clamping: type))
    }
    guard place == size else { return nil }
    var values: [StoredValue] = []
    for type in types {
      guard let length = length(of: type), length <= record.count - place else { return nil }
      values.append(value(type, record, place, length))
      place += length
    }
    return place == record.count ? values : nil
  }

  private static func length(of type: Int) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: type
    case 5: 6
    case 6, 7: 8
    case 12...: (type - 12) / 2
    default: nil
    }
  }

  private static func value(_ type: Int, _ record: [UInt8], _ place: Int, _ length: Int) -> StoredValue {
    switch type {
    case 0: .null
    case 1...6:
      // Shorter integers carry their sign in their first bit.
      .integer(
        Int64(bitPattern: record.number(at: place, bytes: length) << UInt64(64 - 8 * length)) >> Int64(64 - 8 * length))
    case 7: .real(Double(bitPattern: record.number(at: place, bytes: 8)))
    case 8: .integer(0)
    case 9: .integer(1)
    default:
      type % 2 == 0
        ? .bytes(Array(record[place..<place + length]))
        : .text(String(decoding: record[place..<place + length], as: UTF8.self))
    }
  }

  /// A variable-length integer of SQLite.
  private static func variable(_ bytes: [UInt8], _ place: inout Int, before end: Int) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard place < end else { return nil }
      let byte = bytes[place]
      place += 1
      if index == 8 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return value }
    }
    return value
  }
}
