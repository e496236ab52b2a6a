import DAWModel
import DAWProject

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

  /// The change of tempo that is meant; `nil` is the project's own, at the start.
  /// - Throws: `Failure` where there is none; so for the others.
  func tempo(in editor: Editor, _ timeline: Timeline) throws -> TempoMark? {
    try found(byID: editor.view.tempoMark(withID:)) { try editor.view.tempoMark(at: $0.ticks(in: timeline)) }
  }

  /// The change of meter; `nil` is the project's own.
  func meter(in editor: Editor, _ timeline: Timeline) throws -> MeterMark? {
    try found(byID: editor.view.meterMark(withID:)) { try editor.view.meterMark(atBar: $0.bar(in: timeline)) }
  }

  func key(in editor: Editor, _ timeline: Timeline) throws -> KeyMark {
    try found(byID: editor.view.keyMark(withID:)) { try editor.view.keyMark(at: $0.ticks(in: timeline)) }
  }

  private func found<Mark>(byID: (String) throws -> Mark, at find: (TypedPosition) throws -> Mark) rethrows -> Mark {
    switch reading {
    case .place(let position): try find(position)
    case .id(let digits): try byID(digits)
    }
  }
}
