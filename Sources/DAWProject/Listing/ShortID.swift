import DAWModel
import DAWStore

/// The shortest suffixes of ids that identify rows: at least 6 hexadecimal digits, and more if others end the same.
public struct ShortIDs: Sendable {
  private var endings: [String: String] = [:]

  /// Shortens nothing.
  public init() {}

  /// - Parameter ids: all ids of an entity in the project.
  public init<Kind>(_ ids: [Identifier<Kind>]) {
    var open = ids.map(Self.digits)
    var length = Self.minimumLength
    while !open.isEmpty {
      let count = Dictionary(open.map { ($0.suffix(length), 1) }, uniquingKeysWith: +)
      for digits in open where count[digits.suffix(length)] == 1 || length >= digits.count {
        endings[digits] = String(digits.suffix(length))
      }
      open.removeAll { endings[$0] != nil }
      length += 1
    }
  }

  /// - Parameters:
  ///   - ids: those that are listed.
  ///   - all: all ids of the entity in the project.
  public init<Kind>(_ ids: [Identifier<Kind>], among all: [Identifier<Kind>]) {
    var open = ids
    var length = Self.minimumLength
    while !open.isEmpty, length < 16 {
      // The digits of a UUID are in the order of its integer's.
      let mask: Int64 = 1 << (4 * length) - 1
      var counts = Dictionary(open.map { ($0.rawValue & mask, 0) }, uniquingKeysWith: +)
      for id in all { counts[id.rawValue & mask]? += 1 }
      for id in open where counts[id.rawValue & mask] == 1 {
        let digits = Self.digits(id)
        endings[digits] = String(digits.suffix(length))
      }
      open.removeAll { counts[$0.rawValue & mask] == 1 }
      length += 1
    }
  }

  public subscript<Kind>(id: Identifier<Kind>) -> String { endings[Self.digits(id)] ?? id.uuidString }

  /// The shortest suffix that `TRACK` and `REGION` accept.
  static let minimumLength = 6

  /// The ids that are, or end in, these digits.
  package static func matching<Kind>(_ ids: [Identifier<Kind>], _ digits: String) -> [Identifier<Kind>] {
    let wanted = digits.lowercased().filter { $0 != "-" }
    return wanted.isEmpty ? [] : ids.filter { Self.digits($0).hasSuffix(wanted) }
  }

  static func digits<Kind>(_ id: Identifier<Kind>) -> String { id.uuidString.filter { $0 != "-" } }
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

  private func shortID(_ digits: String, count: (String) throws -> Int) rethrows -> String {
    for length in ShortIDs.minimumLength...15 where try count(String(digits.suffix(length))) <= 1 {
      return String(digits.suffix(length))
    }
    return digits
  }
}
