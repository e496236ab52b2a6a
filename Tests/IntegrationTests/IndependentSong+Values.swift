import Foundation

extension IndependentSong {
  /// A level, or another number that is −∞ in places where it is one.
  struct Decibels: Codable {
    var value: Double

    init(value: Double) { self.value = value }

    init(from decoder: any Decoder) throws {
      value = (try? decoder.singleValueContainer().decode(Double.self)) ?? -.infinity
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if value.isFinite { try container.encode(value) } else { try container.encode("-inf") }
    }

    /// Linear.
    var gain: Double { value == 0 ? 1 : Foundation.pow(10, value / 20) }
  }

  /// A value of an effect's parameter.
  enum Value: Codable, Equatable {
    case number(Double)
    case flag(Bool)
    /// Of a choice.
    case name(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .name(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .flag(let flag): try container.encode(flag)
      case .name(let name): try container.encode(name)
      }
    }

    /// 1 and 0 for a flag; `nil` for a name.
    var number: Double? {
      switch self {
      case .number(let number): number
      case .flag(let flag): flag ? 1 : 0
      case .name: nil
      }
    }
  }
}
