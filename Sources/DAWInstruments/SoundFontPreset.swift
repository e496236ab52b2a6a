/// A preset of a SoundFont.
public struct SoundFontPreset: Hashable, Sendable {
  /// 0 … 16,383; in General MIDI, 0 holds the melodic sounds and 128 the drum kits.
  public var bank: Int
  /// 0 … 127.
  public var program: Int
  /// Its name in the SoundFont.
  public var name: String

  public init(bank: Int, program: Int, name: String) {
    self.bank = bank
    self.program = program
    self.name = name
  }
}

extension SoundFontPreset: CustomStringConvertible {
  public var description: String { "bank \(bank) program \(program) '\(name)'" }
}
