import DAWModel

/// A partial update of a MIDI track's instrument, except its SoundFont; `nil` keeps the field.
public struct InstrumentChange: Hashable, Sendable {
  public var bank: Int?
  public var program: Int?
  public var gain: Level?
  public var hasReverb: Bool?
  public var roomSize: Double?
  public var damping: Double?
  public var width: Double?
  public var reverbLevel: Double?
  public var hasChorus: Bool?
  public var voiceCount: Int?
  public var chorusLevel: Double?
  public var speed: Double?
  public var depth: Double?

  public init() {}

  func apply(to instrument: inout Instrument) {
    if let bank { instrument.bank = bank }
    if let program { instrument.program = program }
    if let gain { instrument.gain = gain }
    if let hasReverb { instrument.reverb.isOn = hasReverb }
    if let roomSize { instrument.reverb.roomSize = roomSize }
    if let damping { instrument.reverb.damping = damping }
    if let width { instrument.reverb.width = width }
    if let reverbLevel { instrument.reverb.level = reverbLevel }
    if let hasChorus { instrument.chorus.isOn = hasChorus }
    if let voiceCount { instrument.chorus.voiceCount = voiceCount }
    if let chorusLevel { instrument.chorus.level = chorusLevel }
    if let speed { instrument.chorus.speed = speed }
    if let depth { instrument.chorus.depth = depth }
  }
}

/// A reference to a SoundFont, as typed by the user.
public struct SoundFontChoice: Hashable, Sendable {
  /// Where the SoundFont's file is kept.
  public enum Storage: Hashable, Sendable {
    /// Copies a file into the project; leaves an installed one where it is.
    case automatic
    /// Leaves the file where it is.
    case linked
    /// Copies the file into the project.
    case copied
  }

  /// As it was typed.
  public var name: String
  /// The path, if the name is that of a file.
  public var path: String
  public var storage: Storage

  public init(name: String, path: String, storage: Storage = .automatic) {
    self.name = name
    self.path = path
    self.storage = storage
  }
}
