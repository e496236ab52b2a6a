import DAWModel
import DAWStore
import DAWTime

extension Editor {
  /// - Throws: `EditError` if there are more than 7 sharps or flats, or there is a key signature at the position
  ///   already.
  public func addKey(_ key: Key, at position: TickPosition) throws -> KeySignature {
    let mark = KeySignature(id: try newID(of: KeySignature.self), position: position, key: key)
    try apply(.add(mark))
    note("Added the key signature \(key) at \(try placeName(position))")
    return mark
  }

  public func setKey(_ mark: KeySignature, _ change: Change<KeySignature>) throws -> KeySignature {
    let mark = change.applied(to: mark)
    try apply(.set(mark))
    note("Changed the key signature at \(try placeName(mark.position))")
    return mark
  }

  public func removeKeys(_ marks: [KeySignature]) throws {
    try apply(.remove(marks.map(\.id)))
    for mark in marks { note("Removed the key signature at \(try placeName(mark.position))") }
  }
}
