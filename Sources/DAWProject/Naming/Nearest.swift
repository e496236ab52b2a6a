import DAWModel

/// In characters: of `TRACK/NAME`, the longest that is named.
private let maximumComparedLength = 2 * Name.maximumLength + 1

/// The names most similar to `typed`, nearest first: at most three, within an edit distance of a third of its length.
/// What is longer than any name has none.
public func nearest(to typed: String, among names: [String]) -> [String] {
  guard typed.unicodeScalars.count <= maximumComparedLength else { return [] }
  let wanted = Array(typed.lowercased())
  return Set(names)
    .compactMap { name -> (name: String, distance: Int)? in
      let other = Array(name.lowercased())
      let most = max(1, max(wanted.count, name.count) / 3)
      // So many characters would have to be inserted or deleted at least.
      guard abs(wanted.count - other.count) <= most else { return nil }
      let distance = editDistance(wanted, other)
      return distance <= most ? (name: name, distance: distance) : nil
    }
    .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    .prefix(3).map(\.name)
}

/// The number of characters to insert, delete, substitute, or transpose with their neighbour.
/// - SeeAlso: optimal string alignment, the restricted Damerau-Levenshtein distance
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var rows = [[Int]](repeating: [], count: 3)
  rows[1] = Array(0...b.count)
  for (i, left) in a.enumerated() {
    var row = [i + 1]
    for (j, right) in b.enumerated() {
      var best = min(row[j] + 1, rows[1][j + 1] + 1, rows[1][j] + (left == right ? 0 : 1))
      if i > 0, j > 0, left == b[j - 1], a[i - 1] == right { best = min(best, rows[0][j - 1] + 1) }
      row.append(best)
    }
    rows = [rows[1], row, []]
  }
  return rows[1][b.count]
}
