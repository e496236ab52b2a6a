import DAWModel

/// Finds free names for many rows, also if thousands of them would have the same one.
package struct FreeNames {
  private var taken: Set<String>
  /// For a name that was taken, a number below which all are taken.
  private var firstNumbers: [String: Int] = [:]

  /// - Parameter keys: of the names in use.
  package init(taken keys: Set<String>) { taken = keys }

  /// The name, or with the lowest free number behind it: "Piano 2". It stays free.
  package mutating func free(_ name: Name) -> Name {
    let key = name.key
    guard taken.contains(key) else { return name }
    var number = firstNumbers[key, default: 2]
    let free = name.madeUnique(from: number) { candidate in
      guard taken.contains(candidate) else { return false }
      if candidate != key { number += 1 }
      return true
    }
    firstNumbers[key] = number
    return free
  }

  package mutating func insert(_ name: Name) { taken.insert(name.key) }

  /// A free name, which is then in use.
  package mutating func take(_ name: Name) -> Name {
    let free = free(name)
    insert(free)
    return free
  }
}
