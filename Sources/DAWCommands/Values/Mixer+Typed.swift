import DAWModel

extension Level {
  /// `-6`, `-6dB`, `-inf`. Whether the level is one that is accepted is a rule of the model.
  init(typed text: String) throws {
    let lowered = text.lowercased()
    let number = lowered.hasSuffix("db") ? lowered.dropLast(2) : lowered[...]
    if number == "-inf" {
      self = .silence
    } else if let decibels = decimal(number) {
      self.init(decibels: decibels)
    } else {
      throw Unreadable(text, "a level is a number of decibels, such as -6, or -inf.")
    }
  }
}

extension Pan {
  /// `-0.5`, `0`, `1`. Whether it is within −1 … +1 is a rule of the model.
  init(typed text: String) throws {
    guard let position = decimal(text[...]) else {
      throw Unreadable(text, "a pan is a number from -1 (left) to 1 (right).")
    }
    self.init(position: position)
  }
}

extension Fade.Shape {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "the shapes are") }
}

extension Overlap {
  init(typed text: String) throws {
    guard let overlap = Overlap(rawValue: text.lowercased()) else {
      throw Unreadable(text, "regions that overlap are heard as their sum, or as a crossfade.")
    }
    self = overlap
  }
}

extension Monitor {
  init(typed text: String) throws {
    guard let monitor = Monitor(rawValue: text.lowercased()) else {
      throw Unreadable(text, "an input is heard never (off), always (input), or while its track is armed (auto).")
    }
    self = monitor
  }
}

extension InvertedSides {
  init(typed text: String) throws { try self.init(typed: text, listedAs: "the sides to invert are") }
}

extension Double {
  /// A stereo width. Whether it is within −1 … 2 is a rule of the model.
  init(typedWidth text: String) throws {
    guard let width = decimal(text[...]) else {
      throw Unreadable(text, "a stereo width is a number from -1 (sides swapped) over 0 (mono) and 1 to 2 (wide).")
    }
    self = width
  }
}

extension Color {
  init(typed text: String) throws {
    guard let color = Color(text) else {
      let names = Self.names.joined(separator: ", ")
      throw Unreadable(text, "a colour is \(names), or six hexadecimal digits such as ff8800.")
    }
    self = color
  }
}

extension ChannelSelection {
  init(typed text: String) throws {
    guard let selection = ChannelSelection(text.lowercased()) else {
      throw Unreadable(text, "channels are left, right, mix, all, or numbers from 1: 3, or 3,4.")
    }
    self = selection
  }
}
