import DAWModel
import DAWTime

/// A pitch: 0 … 127, or a name such as `C4` (60, middle C), `F#3`, `Bb-1`.
struct Pitch: Equatable {
  /// Whether it is within 0 … 127 is a rule of the model.
  var number: Int

  init(typed text: String) throws {
    guard let number = wholeNumber(text) ?? Self.number(named: text) else {
      throw Unreadable(text, "a pitch is 0 … 127, or a name such as C4 (60, middle C), F#3 or Bb-1.")
    }
    self.number = number
  }

  private static let letters: [String: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]

  private static func number(named name: String) -> Int? {
    var rest = name[...]
    guard let letter = rest.popFirst(), let step = letters[letter.uppercased()] else { return nil }
    var alteration = 0
    switch rest.first {
    case "#", "♯": alteration = 1
    case "b", "♭": alteration = -1
    default: break
    }
    if alteration != 0 { rest.removeFirst() }
    guard let octave = wholeNumber(String(rest)), (-20...20).contains(octave) else { return nil }
    return 12 * (octave + 1) + step + alteration
  }

  /// "C4" for 60.
  static func name(of number: Int) -> String { PitchNumber(number: number).name }
}

/// A MIDI channel as people count them, from 1.
struct Channel: Equatable {
  /// From 0. Whether it is within 0 … 15 is a rule of the model.
  var index: Int

  init(typed text: String) throws {
    guard let number = wholeNumber(text), (-1_000_000...1_000_000).contains(number) else {
      throw Unreadable(text, "a channel is a whole number, 1 … 16.")
    }
    index = number - 1
  }
}

extension Int {
  /// For options whose values are whole numbers.
  init(typed text: String) throws {
    guard let number = wholeNumber(text) else { throw Unreadable(text, "that is no whole number.") }
    self = number
  }
}

extension Tempo {
  /// `120`, `92.5`, `120bpm`: quarter notes per minute, to 10⁻⁹.
  init(typed text: String) throws {
    let lowered = text.lowercased()
    let number = lowered.hasSuffix("bpm") ? lowered.dropLast(3) : lowered[...]
    guard let tempo = decimal(number).flatMap(Tempo.init(nearestTo:)) else {
      throw Unreadable(text, "a tempo is a number of quarter notes per minute, such as 120 or 92.5.")
    }
    self = tempo
  }
}

extension TimeSignature {
  /// `4/4`, `7/8`.
  init(typed text: String) throws {
    guard let signature = TimeSignature(fraction: text) else {
      throw Unreadable(text, "a time signature is such as 4/4 or 7/8.")
    }
    self = signature
  }
}

extension SampleRate {
  /// `48000`, `48k`, `44.1k`.
  init(typed text: String) throws {
    let lowered = text.lowercased()
    let inThousands = lowered.hasSuffix("k")
    guard let number = decimal(inThousands ? lowered.dropLast() : lowered[...]), abs(number) < 1_000_000_000,
      case let hertz = (number * (inThousands ? 1000 : 1)).rounded()
    else { throw Unreadable(text, "a sample rate is a number of hertz, such as 48000.") }
    self.init(hertz: Int(hertz))
  }
}
