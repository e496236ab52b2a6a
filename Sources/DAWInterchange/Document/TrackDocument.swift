import DAWModel
import DAWTime

/// A track as JSON.
@dynamicMemberLookup
public struct TrackDocument {
  public var row: Track
  /// Its place among the tracks, from 0.
  public var index = 0
  /// The instrument of a MIDI track.
  public var instrument: InstrumentDocument?
  /// The name of the bus that its output feeds; `nil`: the master, or nothing.
  public var outputBus: String?
  public var sends: [SendDocument] = []
  /// The names of the groups that it is in.
  public var groups: [String] = []
  /// In the order of the strip.
  public var effects: [EffectDocument] = []
  /// In order of their ids; `nil` if there are none.
  public var takes: [TakeDocument]?
  /// In order of their start; `nil` in listings of tracks alone.
  public var regions: [RegionDocument]?
  /// `nil` if there are none.
  public var lanes: [LaneDocument]?
  /// `nil` if there are none.
  public var comments: [CommentDocument]?

  public subscript<Value>(dynamicMember path: KeyPath<Track, Value>) -> Value { row[keyPath: path] }
}

extension TrackDocument: JSONRecord {
  package static var blank: TrackDocument { TrackDocument(row: Track(blank: TrackID(rawValue: 0))) }

  package static let members: JSONMembers<TrackDocument> = [
    JSONMember(id: \.row.id),
    JSONMember("name", \.row.name),
    JSONMember(derived: "index", \.index),
    JSONMember("trackType", \.row.trackType),
    JSONMember("channelCount", \.row.channelCount),
    JSONMember("color", \.row.color),
    JSONMember("volume", \.row.volume),
    JSONMember("pan", \.row.pan),
    JSONMember("isMuted", \.row.isMuted),
    JSONMember("isSolo", \.row.isSolo),
    JSONMember("isRecordEnabled", \.row.isRecordEnabled),
    JSONMember("instrument", \.instrument),
    JSONMember("midiOutput", \.row.midiOutput),
    JSONMember("input1", \.row.input1),
    JSONMember("input2", \.row.input2),
    JSONMember("midiInput", \.row.midiInput),
    JSONMember("monitor", \.row.monitor),
    JSONMember("recordOffset", \.row.recordOffset),
    JSONMember("overlap", \.row.overlap),
    JSONMember("trim", \.row.trim),
    JSONMember("invertedSides", \.row.invertedSides),
    JSONMember("stereoWidth", \.row.stereoWidth),
    JSONMember("isSoloSafe", \.row.isSoloSafe),
    JSONMember("outputBus", \.outputBus),
    JSONMember("isOutputConnected", \.row.isOutputConnected),
    JSONMember("sends", \.sends),
    JSONMember("effects", \.effects),
    JSONMember(derived: "groups", \.groups),
    JSONMember(ifPresent: "takes", \.takes),
    JSONMember(ifPresent: "regions", \.regions),
    JSONMember(ifPresent: "lanes", \.lanes),
    JSONMember(ifPresent: "comments", \.comments),
  ]
}

extension TrackDocument {
  /// - Parameter soundFont: the path of a SoundFont.
  public init(
    _ track: Track, index: Int, _ instrument: Instrument?, soundFont: (SoundFontID) throws -> String?
  ) rethrows {
    row = track
    self.index = index
    self.instrument = try instrument.map { InstrumentDocument(row: $0, soundFont: try $0.soundFont.flatMap(soundFont)) }
  }
}

/// What plays a MIDI track, as JSON.
@dynamicMemberLookup
public struct InstrumentDocument {
  public var row: Instrument
  /// The path of one of the project's `soundFonts`; `nil` if none was found.
  public var soundFont: String?

  public subscript<Value>(dynamicMember path: KeyPath<Instrument, Value>) -> Value { row[keyPath: path] }
}

extension InstrumentDocument: JSONRecord {
  package static var blank: InstrumentDocument {
    // JSON without the key is from a version that had only this reference.
    InstrumentDocument(row: Instrument(of: TrackID(rawValue: 0), gainReference: .fluidSynth))
  }

  package static let members: JSONMembers<InstrumentDocument> = [
    JSONMember("soundFont", \.soundFont),
    JSONMember("bank", \.row.bank),
    JSONMember("program", \.row.program),
    JSONMember("gain", \.row.gain),
    JSONMember("gainReference", \.row.gainReference),
    JSONMember("reverb", \.row.reverb),
    JSONMember("chorus", \.row.chorus),
  ]
}

extension Reverb: JSONRecord {
  package static var blank: Reverb { Reverb() }

  package static let members: JSONMembers<Reverb> = [
    JSONMember("isOn", \.isOn),
    JSONMember("roomSize", \.roomSize),
    JSONMember("damping", \.damping),
    JSONMember("width", \.width),
    JSONMember("level", \.level),
  ]
}

extension Chorus: JSONRecord {
  package static var blank: Chorus { Chorus() }

  package static let members: JSONMembers<Chorus> = [
    JSONMember("isOn", \.isOn),
    JSONMember("voiceCount", \.voiceCount),
    JSONMember("level", \.level),
    JSONMember("speed", \.speed),
    JSONMember("depth", \.depth),
  ]
}
