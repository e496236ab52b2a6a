/// The least of the last `length` values, by a queue of those that can still become it: each value is put in and taken
/// out once. A value of 1 or more counts as 1, which is also what was before the first.
///
/// - SeeAlso: Daniel Lemire: Streaming Maximum-Minimum Filter Using No More than Three Comparisons per Element, 2006.
struct SlidingMinimum {
  private struct Item: BitwiseCopyable {
    var value: Double
    var number: Int
  }

  private let length: Int
  private let items: UnsafeMutablePointer<Item>
  private var first = 0
  private var count = 0
  private var number = 0

  init(length: Int) {
    self.length = length
    items = .filled(with: Item(value: 1, number: 0), count: length)
  }

  func free() { items.deallocate() }

  @_noLocks mutating func reset() {
    first = 0
    count = 0
    number = 0
  }

  /// Takes a value.
  /// - Returns: the least of the last `length`.
  @_noLocks mutating func next(_ value: Double) -> Double {
    if count > 0, items[first].number &+ length <= number {
      first = first + 1 == length ? 0 : first + 1
      count -= 1
    }
    if value < 1 {
      while count > 0, items[place(count - 1)].value >= value { count -= 1 }
      items[place(count)] = Item(value: value, number: number)
      count += 1
    }
    number &+= 1
    return count > 0 ? items[first].value : 1
  }

  @_noLocks private func place(_ index: Int) -> Int {
    let place = first + index
    return place < length ? place : place - length
  }
}
