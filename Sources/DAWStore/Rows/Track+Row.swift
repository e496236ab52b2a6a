import DAWModel
import GRDB

extension Track {
  /// In the order of `arguments`, the id first.
  static let columnNames = [
    "id", "name", "orderKey", "trackType", "channelCount", "color", "volume", "pan", "isMuted", "isSolo",
    "isRecordEnabled", "soundFont", "bank", "program", "midiOutput", "instrumentGain", "hasReverb", "reverbRoomSize",
    "reverbDamping", "reverbWidth", "reverbLevel", "hasChorus", "chorusVoices", "chorusLevel", "chorusSpeed",
    "chorusDepth", "nameKey",
  ]
  /// The last is `nameKey`.
  static let columns = columnNames.joined(separator: ", ")

  /// - Parameter row: with `columns` in order.
  init(row: Row) throws {
    self = try reading(row, of: "track") {
      let typeName: String = try row.decode(atIndex: 3)
      let trackType = try meaning(TrackType(rawValue: typeName), of: typeName, .trackType)
      var track = Track(
        id: TrackID(rawValue: try row.decode(atIndex: 0)), name: Name(unchecked: try row.decode(atIndex: 1)),
        orderKey: OrderKey(unchecked: try row.decode(atIndex: 2)), trackType: trackType,
        color: Color(unchecked: try row.decode(atIndex: 5)), volume: Level(decibels: try row.decode(atIndex: 6)),
        pan: Pan(position: try row.decode(atIndex: 7)), isMuted: try row.flag(atIndex: 8),
        isSolo: try row.flag(atIndex: 9), isRecordEnabled: try row.flag(atIndex: 10))
      track.channelCount = try row.decode(atIndex: 4)
      let soundFont: Int64? = try row.decode(atIndex: 11)
      let (bank, program): (Int?, Int?) = (try row.decode(atIndex: 12), try row.decode(atIndex: 13))
      track.instrument = nil
      if soundFont != nil || bank != nil || program != nil {
        track.instrument = Instrument(
          soundFont: soundFont.map(SoundFontID.init(rawValue:)), bank: try meaning(bank, of: nil, .instrument),
          program: try meaning(program, of: nil, .instrument), gain: Level(decibels: try row.decode(atIndex: 15)),
          reverb: try Reverb(row: row), chorus: try Chorus(row: row))
      }
      track.midiOutput = try row.decode(atIndex: 14)
      try track.validate()
      return track
    }
  }

  static let insertSQL =
    "INSERT INTO track (\(columns)) VALUES (\(columnNames.map { _ in "?" }.joined(separator: ", ")))"
  static let updateSQL: String = {
    let settings = columnNames.enumerated().dropFirst().map { "\($1) = ?\($0 + 1)" }
    return "UPDATE track SET \(settings.joined(separator: ", ")) WHERE id = ?1"
  }()

  /// A track without an instrument is stored with the defaults of one.
  var arguments: StatementArguments {
    let sound = instrument ?? Instrument()
    let (reverb, chorus) = (sound.reverb, sound.chorus)
    return [
      id.rawValue, name.text, orderKey.digits, trackType.rawValue, channelCount, color.name, volume.decibels,
      pan.position, isMuted, isSolo, isRecordEnabled, instrument?.soundFont?.rawValue, instrument?.bank,
      instrument?.program, midiOutput,
    ] + [
      sound.gain.decibels, reverb.isOn, reverb.roomSize, reverb.damping, reverb.width, reverb.level, chorus.isOn,
      chorus.voiceCount, chorus.level, chorus.speed, chorus.depth, name.key,
    ]
  }
}

extension Reverb {
  /// - Parameter row: with the columns of `Track` in order.
  fileprivate init(row: Row) throws {
    self.init()
    isOn = try row.flag(atIndex: 16)
    roomSize = try row.decode(atIndex: 17)
    damping = try row.decode(atIndex: 18)
    width = try row.decode(atIndex: 19)
    level = try row.decode(atIndex: 20)
  }
}

extension Chorus {
  /// - Parameter row: with the columns of `Track` in order.
  fileprivate init(row: Row) throws {
    self.init()
    isOn = try row.flag(atIndex: 21)
    voiceCount = try row.decode(atIndex: 22)
    level = try row.decode(atIndex: 23)
    speed = try row.decode(atIndex: 24)
    depth = try row.decode(atIndex: 25)
  }
}
