import DAWModel
import DAWTestSupport
import Testing

@Suite("Order keys")
struct OrderKeyTests {
  @Test("Ten thousand insertions anywhere stay in order, with short keys")
  func randomInsertions() {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    var keys: [OrderKey] = []
    for _ in 0..<10_000 {
      let place = Int.random(in: 0...keys.count, using: &generator)
      keys.insert(
        OrderKey.between(place > 0 ? keys[place - 1] : nil, place < keys.count ? keys[place] : .master), at: place)
    }
    #expect(zip(keys, keys.dropFirst()).allSatisfy(<), "seed \(seed)")
    #expect(keys.allSatisfy { OrderKey($0.digits) == $0 && $0 < .master }, "seed \(seed)")
    #expect(keys.map(\.digits.count).max() ?? 0 <= 12, "seed \(seed)")
  }

  @Test("Thousands added at the end, or at the front, have keys of at most four digits", arguments: [true, false])
  func atAnEnd(isFront: Bool) {
    var last: OrderKey?
    for _ in 0..<5000 {
      let next = isFront ? OrderKey.between(nil, last) : OrderKey.between(last, nil)
      if let last { #expect(isFront ? next < last : last < next) }
      #expect(next.digits.count <= 4)
      last = next
    }
  }

  @Test(
    "There is room between the closest neighbours",
    arguments: [("V", "V1"), ("1", "11"), ("0001", "0002"), ("zzzz", "zzzzz"), ("01", "1")])
  func closeNeighbours(low: String, high: String) throws {
    let (lower, upper) = (try #require(OrderKey(low)), try #require(OrderKey(high)))
    let middle = OrderKey.between(lower, upper)
    #expect(lower < middle && middle < upper)
    #expect(OrderKey(middle.digits) != nil)
    #expect(OrderKey.between(upper, nil) > upper)
    #expect(OrderKey.between(nil, lower) < lower)
  }

  @Test("Keys that another program left equal or in disorder still give one above the lower")
  func disorder() {
    let key = OrderKey(unchecked: "V")
    #expect(OrderKey.between(key, key) > key)
    #expect(OrderKey.between(key, OrderKey(unchecked: "A")) > key)
  }

  @Test(
    "Keys that another program left with zeros, or other signs, at their end are no endless way down",
    arguments: [(nil, "0"), (nil, "000"), (nil, "-"), (nil, ""), (nil, "V0"), ("V", "V0"), ("V", "V00"), ("V", "V-")]
      as [(String?, String)])
  func trailingZeros(low: String?, high: String) {
    let lower = low.map { OrderKey(unchecked: $0) }
    let key = OrderKey.between(lower, OrderKey(unchecked: high))
    #expect(OrderKey(key.digits) != nil)
    if let lower { #expect(key > lower) }
    if high == "V0", lower == nil { #expect(key < OrderKey(unchecked: high)) }
  }
}
