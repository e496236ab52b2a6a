import DAWEngine
import DAWModel
import DAWTime

/// Compiles a project to a render plan. A pure function: equal projects, media and options give equal plans, whatever
/// `reusing` is.
/// - Parameter reusing: the parts of an earlier compilation, which make this one faster.
/// - Returns: the plan, and the parts that the next compilation can reuse.
/// - Throws: `CompileError`.
public func compile(
  _ project: Project, media: MediaTable, options: CompileOptions = CompileOptions(), reusing: CompiledParts? = nil
) throws(CompileError) -> (plan: RenderPlan, parts: CompiledParts) {
  guard let clock = FrameClock(project.tempoMap, project.settings.sampleRate) else {
    throw .sampleRate(project.settings.sampleRate.hertz)
  }
  var compilation = Compilation(project, media, options, clock, reusing: reusing)
  try compilation.run()
  return (compilation.plan, compilation.parts)
}

/// The state of a compilation.
private struct Compilation {
  private let project: Project
  private let media: MediaTable
  private let options: CompileOptions
  private let clock: FrameClock
  private let earlier: CompiledParts?
  private let regionsByTrack: [TrackID: [Region]]
  private let heard: HeardTracks
  private var sourceIndices: [AudioFileID: Int] = [:]
  private var missingFiles: Set<AudioFileID> = []
  private var missingSoundFonts: Set<SoundFontID> = []
  private var tracksWithoutSoundFont: [TrackID] = []

  var plan: RenderPlan
  var parts: CompiledParts

  /// The buffers of the master's sum and of the current track.
  private static let masterBuffer = 0
  private static let trackBuffer = 1
  private var masterID = StripID(0)

  init(
    _ project: Project, _ media: MediaTable, _ options: CompileOptions, _ clock: FrameClock, reusing: CompiledParts?
  ) {
    self.project = project
    self.media = media
    self.options = options
    self.clock = clock
    earlier = reusing?.clock == clock ? reusing : nil
    regionsByTrack = project.regionsByTrack
    heard = HeardTracks(project, soloed: options.soloedTracks)
    plan = RenderPlan(
      sampleRate: clock.sampleRate, sources: [], instruments: [], regions: [], steps: [], bufferCount: 2, endFrame: 0)
    parts = CompiledParts(clock: clock)
  }

  mutating func run() throws(CompileError) {
    plan.endFrame =
      project.regions.values.lazy.map { [clock] in clock.frame(at: $0.endFlicks(in: clock.map)) }.max() ?? 0
    let master = project.tracks.values.first { $0.trackType == .master }
    masterID = StripID(master?.id.rawValue ?? 0)
    plan.steps = [.clear(masterID, buffer: Self.masterBuffer)]
    for track in project.tracks.values.sorted(by: { $0.id < $1.id }) where heard.contains(track) {
      try add(track)
    }
    if options.hasPorts { addPorts() }
    let (left, right) = heard.isMasterOpen ? coefficients(of: master, .stereo) : (0, 0)
    plan.steps.append(.output(masterID, buffer: Self.masterBuffer, left: .constant(left), right: .constant(right)))
    guard !options.silencesMissingMedia else { return }
    guard missingFiles.isEmpty else { throw .audioFilesNotPrepared(missingFiles.sorted()) }
    guard missingSoundFonts.isEmpty else { throw .soundFontsNotPrepared(missingSoundFonts.sorted()) }
    guard tracksWithoutSoundFont.isEmpty else { throw .noSoundFont(tracksWithoutSoundFont) }
  }

  /// One coefficient for each side: `Float(volume × pan)`, the product in `Double`.
  private func coefficients(of track: Track?, _ width: ChannelWidth) -> (left: Float, right: Float) {
    guard let track else { return (1, 1) }
    let volume = ReproducibleMath.gain(decibels: track.volume.decibels)
    let pan =
      width == .mono ? PanGains(mono: track.pan, law: project.settings.panLaw) : PanGains(stereo: track.pan)
    return (Float(volume * pan.left), Float(volume * pan.right))
  }

  private mutating func add(_ track: Track) throws(CompileError) {
    let regions = (regionsByTrack[track.id] ?? []).filter { !$0.isMuted }
    switch track.trackType {
    case .audio: try addAudio(track, regions)
    case .midi: if track.midiOutput == nil || options.playsExternalTracks { addInstrument(track, regions) }
    case .bus, .master: break
    }
  }

  private mutating func addMix(of track: Track, _ width: ChannelWidth) {
    let (left, right) = coefficients(of: track, width)
    let strip = StripID(track.id.rawValue)
    let target = options.hasDirectOuts ? addDirectOut(of: track) : Self.masterBuffer
    let direct = StripID(track.id.rawValue, isDirectOut: true)
    plan.steps.append(
      .mix(
        Connection(from: strip, to: options.hasDirectOuts ? direct : masterID), Self.trackBuffer, width: width,
        into: target, left: .constant(left), right: .constant(right)))
    guard target != Self.masterBuffer else { return }
    plan.steps.append(
      .mix(
        Connection(from: direct, to: masterID), target, width: .stereo, into: Self.masterBuffer, left: .unity,
        right: .unity))
  }

  /// Adds a buffer for a track's own output, which is then mixed into the master.
  private mutating func addDirectOut(of track: Track) -> Int {
    let buffer = plan.bufferCount
    plan.bufferCount += 1
    plan.steps.append(.clear(StripID(track.id.rawValue, isDirectOut: true), buffer: buffer))
    plan.directOuts.append(DirectOut(trackID: track.id.rawValue, buffer: buffer))
    return buffer
  }

  // MARK: Audio

  private mutating func addAudio(_ track: Track, _ regions: [Region]) throws(CompileError) {
    let first = plan.regions.count
    var widest = ChannelWidth.mono
    for region in regions {
      guard let planned = try planned(region) else { continue }
      if planned.channels.width == .stereo {
        guard track.channelCount != 1 else { throw .channels(region.id) }
        widest = .stereo
      }
      plan.regions.append(planned)
    }
    guard plan.regions.count > first else { return }
    if track.overlap == .crossfade { try crossfade(first..<plan.regions.count, of: track) }
    let width = track.channelCount.map { $0 == 1 ? .mono : .stereo } ?? widest
    plan.steps.append(
      .sumRegions(StripID(track.id.rawValue), first..<plan.regions.count, into: Self.trackBuffer, width: width))
    addMix(of: track, width)
  }

  private mutating func crossfade(_ range: Range<Int>, of track: Track) throws(CompileError) {
    guard let crossfades = Crossfades(of: plan.regions[range].map(\.frames), rate: clock.sampleRate) else {
      throw .overlaps(track.id)
    }
    for (index, curves) in crossfades.curves { plan.regions[range.lowerBound + index].gain.multiply(by: curves) }
  }

  /// `nil` if the region is inaudible.
  private mutating func planned(_ region: Region) throws(CompileError) -> PlannedRegion? {
    guard let span = region.audio, region.gain > .silence else { return nil }
    guard let source = media.source(of: span) else {
      missingFiles.insert(span.file)
      return nil
    }
    guard let channels = ChannelPick(span.channels, of: source.channelCount) else { throw .channels(region.id) }
    let start = region.startFlicks(in: clock.map)
    let anchor = clock.frame(at: start - span.offset)
    let lower = max(clock.frame(at: start), anchor)
    let upper = min(clock.frame(at: start + span.duration), anchor + source.frameCount)
    guard lower < upper else { return nil }
    return PlannedRegion(
      regionID: region.id.rawValue, source: index(of: source, span.file), frames: lower..<upper, anchor: anchor,
      channels: channels, gain: clock.gain(of: region, span, start: start))
  }

  private mutating func index(of source: AudioSource, _ file: AudioFileID) -> Int {
    if let known = sourceIndices[file] { return known }
    plan.sources.append(source)
    sourceIndices[file] = plan.sources.count - 1
    return plan.sources.count - 1
  }

  // MARK: Instruments

  private mutating func addInstrument(_ track: Track, _ regions: [Region]) {
    let made = regions.compactMap { regionPart(of: $0, reusing: earlier?.regions[$0.id]) }
    for part in made { parts.regions[part.region] = part }
    guard !made.isEmpty, let instrument = project.instrument(of: track.id) else { return }
    let part = earlier?.tracks[track.id].flatMap { $0.isMade(of: made) ? $0 : nil } ?? TrackEventsPart(made)
    parts.tracks[track.id] = part
    guard part.hasNotes else { return }
    guard let soundFont = instrument.soundFont else { return tracksWithoutSoundFont.append(track.id) }
    guard let prepared = media.soundFonts[soundFont] else {
      missingSoundFonts.insert(soundFont)
      return
    }
    let instrumentPlan = InstrumentPlan(
      soundFontPath: prepared.path, soundFontHash: prepared.sha256, bank: instrument.bank, program: instrument.program,
      isPercussion: part.isPercussion, sampleRate: clock.sampleRate, sequence: part.sequence,
      effects: InstrumentEffects(instrument))
    plan.instruments.append(PlannedInstrument(trackID: track.id.rawValue, plan: instrumentPlan))
    plan.steps.append(.playInstrument(StripID(track.id.rawValue), plan.instruments.count - 1, into: Self.trackBuffer))
    addMix(of: track, .stereo)
  }

  /// `nil` if the region has neither notes nor events.
  private func regionPart(
    of region: Region, reusing known: RegionPart?, quantum: Int64 = InstrumentPlan.quantum
  ) -> RegionPart? {
    let (notes, events) = (project.notes[region.id] ?? [], project.events[region.id] ?? [])
    guard !notes.isEmpty || !events.isEmpty else { return nil }
    let start = clock.map.ticks(at: region.start)
    if let known, known.start == start, known.notes == notes, known.events == events { return known }
    return RegionPart(region: region.id, start: start, notes: notes, events: events, clock: clock, quantum: quantum)
  }

  // MARK: Ports

  private mutating func addPorts() {
    for track in project.tracks.values.sorted(by: { $0.id < $1.id }) where track.trackType == .midi {
      let regions = (regionsByTrack[track.id] ?? []).filter { !$0.isMuted }
      let made = regions.compactMap { regionPart(of: $0, reusing: earlier?.portRegions[$0.id], quantum: 1) }
      for part in made { parts.portRegions[part.region] = part }
      let part = earlier?.portTracks[track.id].flatMap { $0.isMade(of: made) ? $0 : nil } ?? TrackEventsPart(made)
      parts.portTracks[track.id] = part
      plan.ports.append(
        PlannedPort(
          trackID: track.id.rawValue, name: track.name.description, destination: track.midiOutput,
          isMuted: !heard.sends(track), sequence: part.sequence))
    }
  }
}

extension InstrumentEffects {
  /// Of the calibrated gain over FluidSynth's default gain. With it the median of the MIDI songs of Debian's
  /// openttd-openmsx is at −18.4 LUFS, all faders at 0 dB, with TimGM6mb.
  /// - SeeAlso: `Documentation/Decisions/0007-fluidsynth-dry-and-one-at-a-time.md`
  private static let calibratedGain = ReproducibleMath.gain(decibels: 7.5)

  fileprivate init(_ instrument: Instrument) {
    let (reverb, chorus) = (instrument.reverb, instrument.chorus)
    let reference =
      switch instrument.gainReference {
      case .fluidSynth: 1.0
      case .calibrated: Self.calibratedGain
      }
    self.init(
      gain: reference * (instrument.gain == .unity ? 1 : ReproducibleMath.gain(decibels: instrument.gain.decibels)),
      reverb: reverb.isOn
        ? InstrumentReverb(
          roomSize: reverb.roomSize, damping: reverb.damping, width: reverb.width, level: reverb.level) : nil,
      chorus: chorus.isOn
        ? InstrumentChorus(
          voiceCount: chorus.voiceCount, level: chorus.level, speed: chorus.speed, depth: chorus.depth) : nil)
  }
}
