import DAWModel
import DAWProject

/// A change of tempo or meter, or a key signature, as typed: by its position or its id.
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
      guard let digits = try Self.digits(text) else { throw error }
      reading = .id(digits)
    }
  }

  /// - Returns: `nil` for what is no id.
  /// - Throws: `Unreadable` for too short a one.
  private static func digits(_ text: String) throws -> String? {
    do {
      return try IDReference(text)?.digits
    } catch {
      throw Unreadable(text, "an id is typed whole, or as its last 6 or more hexadecimal digits.")
    }
  }

  /// The change of tempo that is meant; `nil` is the project's own, at the start.
  /// - Throws: `Failure` when there is none; so for the others.
  func tempo(in editor: Editor, _ timeline: Timeline) throws -> TempoChange? {
    try found(byID: editor.view.tempoChange(withID:)) { try editor.view.tempoChange(at: $0.ticks(in: timeline)) }
  }

  /// The change of meter; `nil` is the project's own.
  func meter(in editor: Editor, _ timeline: Timeline) throws -> MeterChange? {
    try found(byID: editor.view.meterChange(withID:)) { try editor.view.meterChange(atBar: $0.bar(in: timeline)) }
  }

  func key(in editor: Editor, _ timeline: Timeline) throws -> KeySignature {
    try found(byID: editor.view.keySignature(withID:)) { try editor.view.keySignature(at: $0.ticks(in: timeline)) }
  }

  private func found<Mark>(byID: (String) throws -> Mark, at find: (TypedPosition) throws -> Mark) rethrows -> Mark {
    switch reading {
    case .place(let position): try find(position)
    case .id(let digits): try byID(digits)
    }
  }
}
