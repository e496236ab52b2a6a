import DAWModel
import DAWTime

/// Random edits of all kinds. About one in six breaks a rule.
public struct RandomEdits {
  public var generator: SeededGenerator
  private var nextID: Int64 = 1000

  public init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A random edit of a project.
  public mutating func next(for project: Project) -> Edit {
    switch Int.random(in: 0..<48, using: &generator) {
    case 0: .setProject(settings())
    case 1, 2, 3: .add(track(project))
    case 4: changedTrack(project).map { .set($0) } ?? .add(track(project))
    case 5: .remove(pick(project.tracks.keys.sorted()) ?? TrackID(rawValue: 7))
    case 6, 7, 8: region(project).map { .add($0) } ?? .add(track(project))
    case 9: changedRegion(project).map { .set($0) } ?? .remove(RegionID(rawValue: 3))
    case 10: .remove(pick(project.regions.keys.sorted()) ?? RegionID(rawValue: 5))
    case 11, 12, 13, 14: notes(project).map { .add($0) } ?? .add(track(project))
    case 15: changedNotes(project).map { .set($0) } ?? .remove([NoteID(rawValue: 9)])
    case 16: .remove(pick(allNotes(project)).map { [$0.id] } ?? [NoteID(rawValue: 9)])
    case 17: .add(audioFile(project))
    case 18: .remove(pick(project.audioFiles.keys.sorted()) ?? AudioFileID(rawValue: 2))
    case 19, 20, 21: events(project).map { .add($0) } ?? .add(track(project))
    case 22: changedEvents(project).map { .set($0) } ?? .remove([EventID(rawValue: 9)])
    case 23: .remove(pick(allEvents(project)).map { [$0.id] } ?? [EventID(rawValue: 9)])
    case 24, 25: timeline(project)
    case 27, 28: instrument(project)
    case 29, 30: comment(project)
    case 31, 32, 33, 34: send(project)
    case 35, 36: group(project)
    case 37, 38: effect(project)
    case 39, 40, 41, 42, 43: lane(project)
    case 44, 45, 46, 47: take(project)
    default:
      chance(0.5)
        ? .add(SoundFont(id: newID(), location: location()))
        : .remove(pick(project.soundFonts.keys.sorted()) ?? SoundFontID(rawValue: 2))
    }
  }

  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < probability }
  mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &generator) }
  mutating func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &generator) }

  mutating func newID<Kind>() -> Identifier<Kind> {
    nextID += number(1...5)
    return Identifier(rawValue: chance(0.01) ? 0 : nextID)
  }

  private func allNotes(_ project: Project) -> [MIDINote] {
    project.notes.keys.sorted().flatMap { project.notes[$0] ?? [] }
  }

  mutating func name() -> Name {
    Name(
      unchecked: pick(["Bass", "bass", "Straße", "Drums / left", "Flöte", "Lead", "Pad"]).map {
        "\($0) \(number(1...40))"
      } ?? "x")
  }

  mutating func level() -> Level {
    chance(0.1) ? .silence : Level(decibels: Double(number(chance(0.05) ? -90...40 : -60...12)))
  }

  private mutating func settings() -> ProjectSettings {
    ProjectSettings(
      name: name(), tempo: Tempo(bpm: number(chance(0.1) ? 0...2000 : 5...999)), isTempoRamp: chance(0.3),
      timeSignature: TimeSignature(Int(number(1...64)), over: pick([1, 2, 4, 8, 16, 32, 64, 3]) ?? 4),
      sampleRate: pick(SampleRate.ofProjects + [SampleRate(hertz: 47_999)]) ?? SampleRate(hertz: 48_000),
      panLaw: pick(PanLaw.allCases) ?? .balance0dB)
  }

  private mutating func track(_ project: Project) -> Track {
    let type = pick([.audio, .audio, .midi, .midi, .bus, chance(0.2) ? .master : .audio] as [TrackType]) ?? .audio
    let last = project.tracksInOrder.filter { $0.trackType != .master }.last?.orderKey
    let width = type == .audio ? pick([nil, 1, 2] as [Int?]) ?? nil : chance(0.05) ? 1 : 2
    var track = Track(
      id: newID(), name: name(), orderKey: OrderKey.between(last, nil), trackType: type, channelCount: width,
      color: Color(pick(Color.names) ?? "red") ?? .blue, volume: level(),
      pan: Pan(position: Double(number(-12...12)) / (chance(0.05) ? 4 : 12)), isMuted: chance(0.2), isSolo: chance(0.2),
      isRecordEnabled: chance(0.1))
    if type == .midi {
      track.midiOutput = pick([nil, "synth:0", "A B:port 2", chance(0.1) ? "nowhere" : "128:0"] as [String?]) ?? nil
    } else if chance(0.02) {
      track.midiOutput = "synth:0"
    }
    return track
  }

  private mutating func changedTrack(_ project: Project) -> Track? {
    guard var track = pick(project.tracksInOrder) else { return nil }
    if chance(0.3) { track.name = name() }
    if chance(0.5) { track.volume = level() }
    if chance(0.3) { track.isSolo.toggle() }
    if chance(0.2), track.trackType == .audio { track.channelCount = pick([nil, 1, 2] as [Int?]) ?? nil }
    if chance(track.trackType == .audio ? 0.3 : 0.03) { track.overlap = pick(Overlap.allCases) ?? .sum }
    if chance(0.1) { track.trim = Level(decibels: Double(number(chance(0.1) ? -30...30 : -24...24))) }
    if chance(0.1) { track.invertedSides = pick(InvertedSides.allCases) ?? .none }
    if chance(0.1) { track.stereoWidth = Double(number(chance(0.1) ? -9...30 : -4...8)) / 4 }
    if chance(0.1) { track.isSoloSafe.toggle() }
    if chance(0.3) { connect(&track, in: project) }
    if chance(0.3) { connectInputs(of: &track) }
    if chance(0.1) { track.trackType = pick(TrackType.allCases) ?? .audio }
    return track
  }

  private mutating func region(_ project: Project) -> Region? {
    guard let track = pick(project.tracksInOrder) else { return nil }
    let isMIDI = track.trackType == .midi ? !chance(0.03) : chance(0.03)
    guard !isMIDI else {
      return Region(
        id: newID(), track: track.id, name: name(),
        start: .musical(TickPosition(ticks: number(chance(0.03) ? -9...9 : 0...999_999))),
        content: .midi(TickCount(ticks: number(chance(0.05) ? 0...1 : 1...200_000))), gain: level())
    }
    guard let file = pick(project.audioFiles.keys.sorted()).flatMap({ project.audioFiles[$0] }) else { return nil }
    let start: TimelinePosition =
      chance(0.7)
      ? .absolute(FlickPosition(flicks: number(0...9_999_999_999))) : .musical(TickPosition(ticks: number(0...999_999)))
    return Region(
      id: newID(), track: track.id, name: name(), start: start, content: .audio(span(of: file)),
      color: chance(0.3) ? .blue : nil, gain: level(), isMuted: chance(0.1), fadeIn: fade(), fadeOut: fade())
  }

  /// Mostly none; a few that are not accepted.
  private mutating func fade() -> Fade {
    guard chance(0.5) else { return .none }
    let length = number(chance(0.03) ? -9...9 : 0...2_000_000_000)
    return Fade(
      length: FlickCount(flicks: length), cut: FlickCount(flicks: chance(0.2) ? number(-1...max(0, length)) : 0),
      shape: pick(Fade.Shape.allCases) ?? .linear)
  }

  private mutating func span(of file: AudioFile) -> AudioSpan {
    let offset = number(0...max(0, file.duration.flicks - 1))
    let length = number(1...max(1, file.duration.flicks - offset + (chance(0.1) ? 100 : 0)))
    let channels: ChannelSelection =
      file.channelCount > 2 ? .pair(0, 2) : pick([.all, .all, .left, chance(0.3) ? .mix : .all]) ?? .all
    return AudioSpan(
      file: file.id, offset: FlickCount(flicks: offset), duration: FlickCount(flicks: length), channels: channels,
      isReversed: chance(0.2))
  }

  private mutating func changedRegion(_ project: Project) -> Region? {
    guard var region = pick(project.regions.keys.sorted()).flatMap({ project.regions[$0] }) else { return nil }
    if case .midi = region.content, chance(0.6) { region.content = .midi(TickCount(ticks: number(1...200_000))) }
    if let old = region.audio, chance(0.6), let file = project.audioFiles[old.file] {
      region.content = .audio(span(of: file))
    }
    if chance(0.3), let track = pick(project.tracks.keys.sorted()) { region.track = track }
    if chance(0.3) { region.name = name() }
    if chance(0.3) { region.isMuted.toggle() }
    if chance(0.5) { choose(&region, in: project) }
    if chance(region.audio == nil ? 0.03 : 0.3) { region.fadeIn = fade() }
    if chance(region.audio == nil ? 0.03 : 0.3) { region.fadeOut = fade() }
    return region
  }

  private mutating func note(in region: Region) -> MIDINote {
    let length = if case .midi(let length) = region.content { length.ticks } else { Int64(1) }
    let start = number(0...max(0, length - 1))
    return MIDINote(
      id: newID(), region: region.id, pitch: Int(number(0...(chance(0.02) ? 200 : 127))),
      velocity: Int(number(0...127)),
      start: TickCount(ticks: start),
      duration: TickCount(ticks: number(1...max(1, length - start + (chance(0.03) ? 10 : 0)))),
      channel: Int(number(0...(chance(0.01) ? 20 : 15))), releaseVelocity: Int(number(0...(chance(0.02) ? 200 : 127))))
  }

  private mutating func notes(_ project: Project) -> [MIDINote]? {
    let regions = project.regions.keys.sorted().filter { project.regions[$0]?.regionType == .midi || chance(0.02) }
    guard let region = pick(regions).flatMap({ project.regions[$0] }) else { return nil }
    return (0..<number(1...12)).map { _ in note(in: region) }
  }

  private mutating func changedNotes(_ project: Project) -> [MIDINote]? {
    guard let old = pick(allNotes(project)), let region = project.regions[old.region] else { return nil }
    var changed = note(in: region)
    changed.id = old.id
    return [changed]
  }

  private mutating func location() -> MediaLocation {
    let digits = (0..<64).map { _ in String(number(0...15), radix: 16) }.joined()
    return MediaLocation(
      path: "Audio/\(number(1...1 << 48)).wav", relativePath: chance(0.2) ? "../x.wav" : nil, sha256: digits,
      byteCount: number(1...1_000_000), modificationTime: number(0...1_000_000_000))
  }

  private mutating func audioFile(_ project: Project) -> AudioFile {
    var location = location()
    if chance(0.1), let other = pick(project.audioFiles.keys.sorted()).flatMap({ project.audioFiles[$0] }) {
      location.sha256 = other.location.sha256
    }
    return AudioFile(
      id: newID(), location: location, frames: FrameCount(frames: number(chance(0.05) ? 0...0 : 1...1_000_000)),
      sampleRate: SampleRate(hertz: Int(pick([44_100, 48_000, 22_050, 37_123]) ?? 8000)),
      channelCount: Int(pick([1, 2, 2, 4]) ?? 1), format: "WAV, 24-bit PCM")
  }
}
