import DAWSession

/// A change of tempo or meter, or a key signature, as somebody named it: by its place, or by its id.
struct TypedMark {
  private enum Reading {
    case place(TypedPosition)
    case id(String)
  }

  private let reading: Reading

  /// - Throws: `Unreadable` for what has neither form.
  init(typed text: String) throws {
    do {
      reading = .place(try TypedPosition(typed: text))
    } catch {
      guard let digits = IDReference(text)?.digits else { throw error }
      reading = .id(digits)
    }
  }

  /// What is meant.
  func found<Mark>(byID: (String) throws -> Mark, at find: (TypedPosition) throws -> Mark) rethrows -> Mark {
    switch reading {
    case .place(let position): try find(position)
    case .id(let digits): try byID(digits)
    }
  }
}
