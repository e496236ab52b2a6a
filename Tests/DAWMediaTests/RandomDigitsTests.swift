import Testing

@testable import DAWMedia

@Suite struct RandomDigitsTests {
  @Test func theyAreEightHexadecimalOnesAlsoWithZerosInFront() {
    let names = (0..<1_000).map { _ in RandomDigits.next() }
    #expect(names.allSatisfy { $0.count == RandomDigits.count && $0.allSatisfy(\.isHexDigit) })
    #expect(RandomDigits.count == 8 && Set(names).count > 990)
  }
}
