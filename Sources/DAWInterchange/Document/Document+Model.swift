import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

extension ProjectDocument {
  /// - Parameter includesNotes: whether each MIDI region lists its notes, rather than counting them.
  public init(_ view: ProjectView, includesNotes: Bool) throws {
    let header = try view.header()
    let settings = header.settings
    let audioFiles = try view.audioFiles()
    let soundFonts = try view.soundFonts()
    let paths = Dictionary(uniqueKeysWithValues: audioFiles.map { ($0.id, $0.location.path) })
    let fonts = Dictionary(uniqueKeysWithValues: soundFonts.map { ($0.id, $0.location.path) })
    let regions = Dictionary(grouping: try view.regions(), by: \.track)
    let instruments = Dictionary(uniqueKeysWithValues: try view.all(Instrument.self).map { ($0.track, $0) })
    formatVersion = Self.currentFormat
    revision = header.revision
    id = header.id
    name = settings.name.text
    createdDate = header.createdDate.iso8601
    modifiedDate = header.modifiedDate.iso8601
    tempo = settings.tempo.bpm
    timeSignature = settings.timeSignature.description
    sampleRate = settings.sampleRate.hertz
    panLaw = settings.panLaw
    let map = try view.tempoMap()
    tempoMap = TempoMapDocument(settings, try view.tempoChanges(), try view.meterChanges(), in: map)
    keySignatures = try view.keySignatures().map { KeySignatureDocument($0, in: map) }
    markers = try view.markers().map { MarkerDocument($0, in: map) }
    self.audioFiles = audioFiles.map(AudioFileDocument.init)
    self.soundFonts = soundFonts.map(SoundFontDocument.init)
    tracks = try view.tracks().enumerated().map { index, track in
      TrackDocument(
        track, index: index,
        instrument: instruments[track.id].map { InstrumentDocument($0, soundFont: $0.soundFont.flatMap { fonts[$0] }) },
        regions: try regions[track.id, default: []].map { region in
          try RegionDocument(
            region, in: map, audioFile: region.audio.flatMap { paths[$0.file] }, view: view,
            includesNotes: includesNotes)
        })
    }
  }
}

extension AudioFileDocument {
  init(_ file: AudioFile) {
    id = file.id
    path = file.location.path
    relativePath = file.location.relativePath
    sha256 = file.location.sha256
    byteCount = file.location.byteCount
    modificationTime = file.location.modificationTime
    duration = file.duration.seconds
    durationFlicks = file.duration.flicks
    frames = file.frames.frames
    sampleRate = file.sampleRate.hertz
    channelCount = file.channelCount
    format = file.format
  }
}

extension SoundFontDocument {
  init(_ font: SoundFont) {
    id = font.id
    path = font.location.path
    relativePath = font.location.relativePath
    sha256 = font.location.sha256
    byteCount = font.location.byteCount
    modificationTime = font.location.modificationTime
  }
}

extension TrackDocument {
  public init(_ track: Track, index: Int, instrument: InstrumentDocument?, regions: [RegionDocument]?) {
    id = track.id
    name = track.name.text
    self.index = index
    trackType = track.trackType
    channelCount = track.channelCount
    color = track.color
    volume = track.volume
    pan = track.pan
    isMuted = track.isMuted
    isSolo = track.isSolo
    isRecordEnabled = track.isRecordEnabled
    self.instrument = instrument
    midiOutput = track.midiOutput
    self.regions = regions
  }
}

extension InstrumentDocument {
  init(_ instrument: Instrument, soundFont: String?) {
    self.soundFont = soundFont
    bank = instrument.bank
    program = instrument.program
    gain = instrument.gain
    reverb = ReverbDocument(instrument.reverb)
    chorus = ChorusDocument(instrument.chorus)
    gainReference = instrument.gainReference
  }
}

extension RegionDocument {
  public init(
    _ region: Region, in map: TempoMap, audioFile: String?, view: ProjectView, includesNotes: Bool
  ) throws {
    let start = region.startFlicks(in: map)
    id = region.id
    name = region.name.text
    regionType = region.regionType
    timeBase = region.start.timeBase
    startTime = start.seconds
    duration = (region.endFlicks(in: map) - start).seconds
    if case .musical(let ticks) = region.start { startTicks = ticks.ticks }
    if case .absolute(let flicks) = region.start { startFlicks = flicks.flicks }
    if case .musical(let ticks) = region.duration { durationTicks = ticks.ticks }
    if case .absolute(let flicks) = region.duration { durationFlicks = flicks.flicks }
    self.audioFile = audioFile
    audioOffset = region.audio?.offset.seconds
    audioOffsetFlicks = region.audio?.offset.flicks
    channels = region.audio?.channels
    color = region.color
    gain = region.gain
    isMuted = region.isMuted
    guard region.regionType == .midi else { return }
    if includesNotes {
      let base = map.ticks(at: region.start)
      events = try view.events(in: region.id).map { EventDocument($0, regionStart: base, in: map) }
      notes = try view.notes(in: region.id).map { NoteDocument($0, regionStart: base, in: map) }
    } else {
      noteCount = try view.noteCount(region.id)
      eventCount = try view.eventCount(region.id)
    }
  }
}

extension NoteDocument {
  /// - Parameter regionStart: where the note's region begins.
  public init(_ note: MIDINote, regionStart: TickPosition, in map: TempoMap) {
    let base = map.flicks(at: regionStart)
    let start = map.flicks(at: regionStart + note.start)
    id = note.id
    pitch = note.pitch
    velocity = note.velocity
    startTime = (start - base).seconds
    startTicks = note.start.ticks
    duration = (map.flicks(at: regionStart + note.end) - start).seconds
    durationTicks = note.duration.ticks
    channel = note.channel
    releaseVelocity = note.releaseVelocity
  }
}
