import DAWModel
import DAWStore

/// The shortest suffixes of ids that identify rows: at least 6 hexadecimal digits, and more if others end the same.
public struct ShortIDs: Sendable {
  /// How many digits of an id are enough, by the ids' numbers; of others, all of them are needed.
  private var lengths: [Int64: Int] = [:]

  /// Shortens nothing.
  public init() {}

  /// - Parameter ids: all ids of an entity in the project.
  public init<Kind>(_ ids: [Identifier<Kind>]) { self.init(ids, among: ids) }

  /// - Parameters:
  ///   - ids: those that are listed.
  ///   - all: all ids of the entity in the project.
  public init<Kind>(_ ids: [Identifier<Kind>], among all: [Identifier<Kind>]) {
    var open = ids
    var length = Self.minimumLength
    while !open.isEmpty, length < 16 {
      let ends = open.map { Self.last(length, of: $0) }.sorted()
      var counts = [Int](repeating: 0, count: ends.count)
      for id in all {
        if let place = Self.place(of: Self.last(length, of: id), in: ends) { counts[place] += 1 }
      }
      open.removeAll { id in
        let isUnique = Self.place(of: Self.last(length, of: id), in: ends).map { counts[$0] == 1 } ?? false
        if isUnique { lengths[id.rawValue] = length }
        return isUnique
      }
      length += 1
    }
  }

  public subscript<Kind>(id: Identifier<Kind>) -> String {
    guard let length = lengths[id.rawValue] else { return id.uuidString }
    let digits = String(Self.last(length, of: id), radix: 16)
    return String(repeating: "0", count: length - digits.count) + digits
  }

  /// The first place of a number in others that are in order.
  private static func place(of end: Int64, in ends: [Int64]) -> Int? {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] < end { low = middle + 1 } else { high = middle }
    }
    return low < ends.count && ends[low] == end ? low : nil
  }

  /// The last digits of an id, as a number: a UUID's are in the order of its integer's.
  fileprivate static func last<Kind>(_ count: Int, of id: Identifier<Kind>) -> Int64 {
    id.rawValue & (1 << (4 * count) - 1)
  }

  /// The shortest suffix that `TRACK` and `REGION` accept.
  static let minimumLength = 6

  /// The ids that are, or end in, these digits.
  package static func matching<Kind>(_ ids: [Identifier<Kind>], _ digits: String) -> [Identifier<Kind>] {
    let wanted = digits.lowercased().filter { $0 != "-" }
    // As numbers first: to write out thousands of ids takes long.
    guard let end = Int64(wanted.suffix(minimumLength), radix: 16) else { return [] }
    let count = min(wanted.count, minimumLength)
    return ids.filter { Self.last(count, of: $0) == end && Self.digits($0).hasSuffix(wanted) }
  }

  static func digits<Kind>(_ id: Identifier<Kind>) -> String { id.uuidString.filter { $0 != "-" } }
}

/// Ids by their last digits, to find thousands among thousands.
package struct IDEndings<Kind: IdentifiedKind> {
  private let byEnding: [Int64: [Identifier<Kind>]]

  package init(_ ids: [Identifier<Kind>]) {
    byEnding = Dictionary(grouping: ids) { ShortIDs.last(ShortIDs.minimumLength, of: $0) }
  }

  /// The ids that are, or end in, these digits, of which there are 6 or more.
  package func matching(_ digits: String) -> [Identifier<Kind>] {
    let end = Int64(digits.filter { $0 != "-" }.suffix(ShortIDs.minimumLength), radix: 16)
    return ShortIDs.matching(end.flatMap { byEnding[$0] } ?? [], digits)
  }
}

extension ProjectView {
  /// The shortest unique suffix of a track's id.
  package func shortID(of id: TrackID) throws -> String {
    try shortID(ShortIDs.digits(id)) { try trackCount(withIDEnding: $0) }
  }

  /// The shortest unique suffix of a region's id.
  package func shortID(of id: RegionID) throws -> String {
    try shortID(ShortIDs.digits(id)) { try regionCount(withIDEnding: $0) }
  }

  /// The shortest unique suffix of a take's id.
  package func shortID(of id: TakeID) throws -> String {
    try shortID(ShortIDs.digits(id)) { try takeCount(withIDEnding: $0) }
  }

  private func shortID(_ digits: String, count: (String) throws -> Int) rethrows -> String {
    for length in ShortIDs.minimumLength...15 where try count(String(digits.suffix(length))) <= 1 {
      return String(digits.suffix(length))
    }
    return digits
  }
}
