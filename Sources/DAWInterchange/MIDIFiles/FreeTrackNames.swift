import DAWModel

/// Makes unique track names; fast even for thousands of equal names.
struct FreeTrackNames {
  private var taken: Set<String>
  /// For a name that was taken, the number to try next.
  private var nextNumbers: [String: Int] = [:]

  init(_ names: [Name]) { taken = Set(names.map(\.key)) }

  /// The name, or with a number behind it: "Piano 2".
  mutating func take(_ name: Name) -> Name {
    guard !taken.insert(name.key).inserted else { return name }
    let number = nextNumbers[name.key, default: 2]
    let free = name.madeUnique(from: number) { taken.contains($0) }
    nextNumbers[name.key] = number + 1
    taken.insert(free.key)
    return free
  }
}
