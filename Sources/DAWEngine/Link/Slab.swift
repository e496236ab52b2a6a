/// Arrays of plain values in one allocation, each aligned to a cache line.
struct Slab {
  private var base: UnsafeMutableRawPointer?
  private var byteCount = 0

  private static let alignment = 64

  private init(base: UnsafeMutableRawPointer?) { self.base = base }

  /// Allocates what `body` asks for.
  /// - Parameter body: called twice: with a slab that only measures, whose pointers are not to be followed, and with
  ///   the one that is filled.
  /// - Returns: the allocation, which the caller frees, and the second result of `body`.
  static func allocate<Result>(_ body: (inout Slab) -> Result) -> (base: UnsafeMutableRawPointer, result: Result) {
    var measured = Slab(base: nil)
    _ = body(&measured)
    let base = UnsafeMutableRawPointer.allocate(byteCount: max(alignment, measured.byteCount), alignment: alignment)
    var slab = Slab(base: base)
    return (base, body(&slab))
  }

  mutating func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let place = reserve(Element.self, elements.count)
    guard base != nil else { return place }
    elements.withUnsafeBufferPointer { elements in
      if let first = elements.baseAddress { place.initialize(from: first, count: elements.count) }
    }
    return place
  }

  mutating func filled<Element: BitwiseCopyable>(
    with element: Element, count: Int
  ) -> UnsafeMutablePointer<Element> {
    let place = reserve(Element.self, count)
    if base != nil { place.initialize(repeating: element, count: count) }
    return place
  }

  /// Room for values that are to be initialised by the caller if `isFilled`.
  mutating func reserve<Element: ~Copyable>(_ type: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element> {
    let offset = (byteCount + Self.alignment - 1) / Self.alignment * Self.alignment
    byteCount = offset + count * MemoryLayout<Element>.stride
    let place = base.map { $0 + offset } ?? UnsafeMutableRawPointer(bitPattern: Self.alignment)
    return place.unsafelyUnwrapped.bindMemory(to: type, capacity: count)
  }

  /// Whether memory is there to be initialised.
  var isFilled: Bool { base != nil }
}
