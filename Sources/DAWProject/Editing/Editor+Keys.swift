import DAWModel
import DAWStore
import DAWTime

/// What somebody said of a key signature.
public struct KeySetting: Sendable {
  public var key: Key?
  public var position: TickPosition?

  public init() {}
}

extension Editor {
  /// - Throws: the rules' violations: of more than 7 sharps or flats, or a second one at a place.
  public func addKey(_ key: Key, at position: TickPosition) throws -> KeyMark {
    let mark = KeyMark(id: try newKeyMarkID(), position: position, key: key)
    try apply(.addMark(.key(mark)))
    note("Added the key signature \(key) at \(try placeName(position))")
    return mark
  }

  public func setKey(_ mark: KeyMark, _ setting: KeySetting) throws -> KeyMark {
    var mark = mark
    mark.key = setting.key ?? mark.key
    mark.position = setting.position ?? mark.position
    try apply(.setMark(.key(mark)))
    note("Changed the key signature at \(try placeName(mark.position))")
    return mark
  }

  public func removeKey(_ mark: KeyMark) throws {
    let place = try placeName(mark.position)
    try apply(.removeMark(.key(mark.id)))
    note("Removed the key signature at \(place)")
  }
}
