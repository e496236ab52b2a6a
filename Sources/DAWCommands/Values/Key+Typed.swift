import DAWModel

extension Key {
  init(typed text: String) throws {
    guard let key = Key(name: text) else {
      throw Unreadable(text, "a key is such as D, Bb, F#m or 'C minor'.")
    }
    self = key
  }
}
