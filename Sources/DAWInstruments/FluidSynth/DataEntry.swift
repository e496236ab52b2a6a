/// A channel's registered and non-registered parameters (RPN, NRPN).
///
/// FluidSynth applies a parameter on its MSB alone, with the last LSB of any parameter; forgets an NRPN after one data
/// entry; and accepts the two selectors in one order only. So each data entry is sent to it complete: both selectors,
/// LSB, MSB. Then its state depends on the parameters' values, not on the order of messages.
struct DataEntry {
  private static let null: UInt8 = 127
  private static let selectors: (registered: (Int32, Int32), free: (Int32, Int32)) = ((101, 100), (99, 98))

  private var isFree = false
  private var coarseNumber = null
  private var fineNumber = null
  private var values: [Parameter: Value] = [:]

  private struct Parameter: Hashable {
    var isFree: Bool
    var coarse: UInt8
    var fine: UInt8
  }

  private struct Value {
    var coarse: UInt8?
    var fine: UInt8?
  }

  /// A controller's number and its value.
  typealias Message = (number: Int32, value: Int32)

  /// Handles one of the controllers 6, 38 and 98 … 101.
  /// - Returns: the messages to send to FluidSynth.
  mutating func handle(_ number: UInt8, _ value: UInt8) -> [Message] {
    switch number {
    case 98...101:
      if isFree != (number < 100) {
        isFree = number < 100
        (coarseNumber, fineNumber) = (Self.null, Self.null)
      }
      if number.isMultiple(of: 2) { fineNumber = value } else { coarseNumber = value }
      return []
    case 6, 38:
      guard coarseNumber != Self.null || fineNumber != Self.null else { return [] }
      let parameter = Parameter(isFree: isFree, coarse: coarseNumber, fine: fineNumber)
      if number == 6 { values[parameter, default: Value()].coarse = value }
      if number == 38 { values[parameter, default: Value()].fine = value }
      guard let known = values[parameter], let coarse = known.coarse else { return [] }
      let selectors = isFree ? Self.selectors.free : Self.selectors.registered
      return [
        (selectors.0, Int32(coarseNumber)), (selectors.1, Int32(fineNumber)), (38, Int32(known.fine ?? 0)),
        (6, Int32(coarse)),
      ]
    default: return []
    }
  }
}
