/// The newest measurements of a series, and their percentiles.
public struct Percentiles: Sendable {
  private var values: [Double] = []
  private var oldest = 0
  private let capacity: Int

  /// - Parameter capacity: measurements kept, at least 1.
  public init(capacity: Int) { self.capacity = capacity }

  public var count: Int { values.count }

  /// In no particular order.
  public var all: [Double] { values }

  public mutating func add(_ value: Double) {
    if values.count < capacity {
      values.append(value)
    } else {
      values[oldest] = value
      oldest = (oldest + 1) % capacity
    }
  }

  /// A percentile, by the nearest-rank method.
  /// - Parameter part: 0 … 1; 0.5 is the median.
  /// - Returns: `nil` without measurements.
  public func value(at part: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1))]
  }
}
