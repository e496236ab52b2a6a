import DAWTime

/// The pure interpreter of `Edit`.
extension Project: ModelTables {
  /// The project after `edit`; the receiver does not change.
  /// - Throws: `EditError`.
  public func applying(_ edit: Edit) throws -> Project {
    var next = self
    try next.apply(edit)
    return next
  }

  public func track(_ id: TrackID) -> Track? { tracks[id] }
  public func track(withNameKey key: String) -> TrackID? { tracks.values.first { $0.name.key == key }?.id }
  public func hasRegions(_ track: TrackID) -> Bool { regions.values.contains { $0.track == track } }
  public func stereoRegion(of track: TrackID) -> Region? {
    regions(of: track).first { region in
      region.audio.flatMap { span in
        audioFiles[span.file].flatMap { span.channels.width(ofFileWith: $0.channelCount) }
      } == 2
    }
  }
  public func region(_ id: RegionID) -> Region? { regions[id] }
  public func noteCount(in region: RegionID, endingAfter end: TickCount) -> Int {
    notes[region, default: []].count { $0.end > end }
  }
  public func note(_ id: NoteID) -> MIDINote? {
    for notes in notes.values {
      if let note = notes.first(where: { $0.id == id }) { return note }
    }
    return nil
  }
  public func firstPresent(of notes: [NoteID]) -> NoteID? {
    let present = present(notes)
    return notes.first(where: present.contains)
  }
  public func firstAbsent(of notes: [NoteID]) -> NoteID? {
    let present = present(notes)
    return notes.first { !present.contains($0) }
  }
  private func present(_ notes: [NoteID]) -> Set<NoteID> {
    let wanted = Set(notes)
    return Set(self.notes.values.joined().lazy.map(\.id).filter(wanted.contains))
  }
  public func audioFile(_ id: AudioFileID) -> AudioFile? { audioFiles[id] }
  public func audioFile(withHash sha256: String) -> AudioFileID? {
    audioFiles.values.first { $0.location.sha256 == sha256 }?.id
  }
  public func regions(over audioFile: AudioFileID) -> [Region] {
    regions.values.filter { $0.audio?.file == audioFile }.sorted { $0.id < $1.id }
  }
  public func soundFont(_ id: SoundFontID) -> SoundFont? { soundFonts[id] }
  public func soundFont(withHash sha256: String) -> SoundFontID? {
    soundFonts.values.first { $0.location.sha256 == sha256 }?.id
  }
  public func isUsed(_ soundFont: SoundFontID) -> Bool {
    tracks.values.contains { $0.instrument?.soundFont == soundFont }
  }

  public mutating func write(_ settings: ProjectSettings) { self.settings = settings }
  public mutating func insert(_ track: Track) { tracks[track.id] = track }
  public mutating func update(_ track: Track) { tracks[track.id] = track }
  public mutating func delete(_ track: TrackID) {
    tracks[track] = nil
    for region in regions(of: track) { delete(region.id) }
  }
  public mutating func insert(_ region: Region) { regions[region.id] = region }
  public mutating func update(_ region: Region) { regions[region.id] = region }
  public mutating func delete(_ region: RegionID) {
    regions[region] = nil
    notes[region] = nil
    events[region] = nil
  }
  public mutating func insert(_ notes: [MIDINote]) {
    for (region, added) in Dictionary(grouping: notes, by: \.region) {
      self.notes[region] = (self.notes[region, default: []] + added).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    }
  }
  public mutating func update(_ notes: [MIDINote]) {
    delete(notes.map(\.id))
    insert(notes)
  }
  public mutating func delete(_ notes: [NoteID]) {
    let gone = Set(notes)
    for region in Array(self.notes.keys) {
      self.notes[region]?.removeAll { gone.contains($0.id) }
      if self.notes[region]?.isEmpty == true { self.notes[region] = nil }
    }
  }
  public mutating func insert(_ audioFile: AudioFile) { audioFiles[audioFile.id] = audioFile }
  public mutating func update(_ audioFile: AudioFile) { audioFiles[audioFile.id] = audioFile }
  public mutating func delete(_ audioFile: AudioFileID) { audioFiles[audioFile] = nil }
  public mutating func insert(_ soundFont: SoundFont) { soundFonts[soundFont.id] = soundFont }
  public mutating func update(_ soundFont: SoundFont) { soundFonts[soundFont.id] = soundFont }
  public mutating func delete(_ soundFont: SoundFontID) { soundFonts[soundFont] = nil }
}
