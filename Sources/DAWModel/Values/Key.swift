import DAWTime

/// A key as a signature says it: so many sharps or flats, major or minor.
public struct Key: Hashable, Sendable {
  /// Sharps, or less than 0: flats. −7 … 7.
  public var fifths: Int
  public var isMinor: Bool

  public init(fifths: Int, isMinor: Bool = false) {
    self.fifths = fifths
    self.isMinor = isMinor
  }

  /// In the order of fifths, from F.
  private static let letters = Array("FCGDAEB")
  /// Of C major among `letters`, and of A minor.
  private static let offsets = (major: 1, minor: 4)

  /// By the name of its tonic and its mode: "D", "Bb", "F# minor", "Ebm", "A-major". Case does not matter, but for the
  /// letter m alone, which is minor. `nil` for what is no such name.
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

  /// Its own, rather than its signature's.
  var tonic: String {
    let place = min(max(fifths, -100), 100) + (isMinor ? Self.offsets.minor : Self.offsets.major)
    let octave = place >= 0 ? place / 7 : (place - 6) / 7
    let accidentals = String(repeating: octave < 0 ? "b" : "#", count: min(abs(octave), 8))
    return String(Self.letters[place - 7 * octave]) + accidentals
  }
}

extension Key: CustomStringConvertible {
  /// "D major", "F# minor", with sharps and flats as people type them.
  public var description: String { "\(tonic) \(isMinor ? "minor" : "major")" }
}

extension KeyMark {
  public var key: Key {
    get { Key(fifths: fifths, isMinor: isMinor) }
    set { (fifths, isMinor) = (newValue.fifths, newValue.isMinor) }
  }

  public init(id: KeyMarkID, position: TickPosition, key: Key) {
    self.init(id: id, position: position, fifths: key.fifths, isMinor: key.isMinor)
  }
}
