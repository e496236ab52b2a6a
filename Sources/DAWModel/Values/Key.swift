import DAWTime

/// A musical key: a number of sharps or flats, major or minor.
public struct Key: Hashable, Sendable {
  /// Sharps; flats are negative. −7 … 7.
  public var fifths: Int
  public var isMinor: Bool

  public init(fifths: Int, isMinor: Bool = false) {
    self.fifths = fifths
    self.isMinor = isMinor
  }

  /// In the circle of fifths, from F.
  private static let letters = Array("FCGDAEB")
  /// The index in `letters` of C (the tonic of no sharps, major) and of A (minor).
  private static let offsets = (major: 1, minor: 4)

  /// Parses the tonic and the mode: "D", "Bb", "F# minor", "Ebm", "A-major". Case does not matter, except that the
  /// abbreviation "m" of minor must be lower case. `nil` for anything else.
  public init?(name: String) {
    guard let letter = name.first?.uppercased().first, let place = Self.letters.firstIndex(of: letter) else {
      return nil
    }
    let rest = name.dropFirst()
    let accidentals = rest.prefix { "#b♯♭".contains($0) }
    let sharps = accidentals.count { "#♯".contains($0) }
    guard accidentals.count < 8, sharps == 0 || sharps == accidentals.count else { return nil }
    let fifths = place + 7 * (sharps > 0 ? sharps : -accidentals.count)
    let mode = rest.dropFirst(accidentals.count).drop { $0 == " " || $0 == "-" }
    switch mode == "m" ? "minor" : mode.lowercased() {
    case "", "maj", "major": self.init(fifths: fifths - Self.offsets.major, isMinor: false)
    case "min", "minor": self.init(fifths: fifths - Self.offsets.minor, isMinor: true)
    default: return nil
    }
  }

  /// The name of the tonic.
  var tonic: String {
    let place = min(max(fifths, -100), 100) + (isMinor ? Self.offsets.minor : Self.offsets.major)
    let octave = place >= 0 ? place / 7 : (place - 6) / 7
    let accidentals = String(repeating: octave < 0 ? "b" : "#", count: min(abs(octave), 8))
    return String(Self.letters[place - 7 * octave]) + accidentals
  }
}

extension Key: CustomStringConvertible {
  /// "D major", "F# minor"; "#" and "b" for sharps and flats.
  public var description: String { "\(tonic) \(isMinor ? "minor" : "major")" }
}

extension KeySignature {
  public var key: Key {
    get { Key(fifths: fifths, isMinor: isMinor) }
    set { (fifths, isMinor) = (newValue.fifths, newValue.isMinor) }
  }

  public init(id: KeySignatureID, position: TickPosition, key: Key) {
    self.init(id: id, position: position, fifths: key.fifths, isMinor: key.isMinor)
  }
}
