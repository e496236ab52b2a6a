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
  private let routing: Routing
  private var sourceIndices: [PlayedFile: Int] = [:]
  private var missingFiles: Set<AudioFileID> = []
  private var missingSoundFonts: Set<SoundFontID> = []
  private var tracksWithoutSoundFont: [TrackID] = []

  var plan: RenderPlan
  var parts: CompiledParts

  init(
    _ project: Project, _ media: MediaTable, _ options: CompileOptions, _ clock: FrameClock, reusing: CompiledParts?
  ) {
    self.project = project
    self.media = media
    self.options = options
    self.clock = clock
    earlier = reusing?.clock == clock ? reusing : nil
    regionsByTrack = project.regionsByTrack
    routing = Routing(project, soloed: options.soloedTracks, stem: options.stem)
    plan = RenderPlan(
      sampleRate: clock.sampleRate, sources: [], instruments: [], regions: [], steps: [], bufferCount: 0, endFrame: 0)
    parts = CompiledParts(clock: clock)
  }

  mutating func run() throws(CompileError) {
    plan.endFrame =
      project.regions.values.lazy.filter(\.isInUse).map { [clock] in clock.frame(at: $0.endFlicks(in: clock.map)) }
      .max() ?? 0
    let hasDirectOut = routing.strips.indices.map { options.hasDirectOuts && routing.hasOpenOutput($0) }
    var effectCompiler = EffectCompiler(
      project, routing, clock, LaneCurves(project.settings.panLaw, clock, reusing: earlier))
    let effects = effectCompiler.effects(isStem: options.stem != nil)
    let isNeeded = routing.isNeeded(for: hasDirectOut.indices.filter { hasDirectOut[$0] })
    var contents = [StripContent](repeating: .nothing, count: routing.strips.count)
    contents[routing.master] = .sum
    for (strip, track) in routing.strips.enumerated() where strip != routing.master {
      if routing.isMasterOpen, isNeeded[strip] {
        contents[strip] = try content(of: track)
      } else if options.keepsMutedInstruments, track.trackType == .midi {
        addInstrument(of: track, isParked: true)
      }
    }
    var mix = MixSteps(
      routing, contents: contents, hasDirectOut: hasDirectOut, effects: effects, panLaw: project.settings.panLaw,
      lanes: effectCompiler.lanes)
    try mix.write()
    (plan.steps, plan.bufferCount, plan.directOuts) = (mix.steps, mix.bufferCount, mix.directOuts)
    plan.inserts = mix.inserts
    var lanes = mix.lanes
    if options.hasPorts { addPorts(&lanes) }
    (parts.lanes, parts.pans) = (lanes.lanes, lanes.pans)
    guard !options.silencesMissingMedia else { return }
    guard missingFiles.isEmpty else { throw .audioFilesNotPrepared(missingFiles.sorted()) }
    guard missingSoundFonts.isEmpty else { throw .soundFontsNotPrepared(missingSoundFonts.sorted()) }
    guard tracksWithoutSoundFont.isEmpty else { throw .noSoundFont(tracksWithoutSoundFont) }
  }

  private mutating func content(of track: Track) throws(CompileError) -> StripContent {
    switch track.trackType {
    case .audio: try addAudio(of: track)
    case .midi: addInstrument(of: track).map(StripContent.instrument) ?? .nothing
    case .bus, .master: .sum
    }
  }

  private func heardRegions(of track: Track) -> [Region] { (regionsByTrack[track.id] ?? []).filter(\.isHeard) }

  // MARK: Audio

  private mutating func addAudio(of track: Track) throws(CompileError) -> StripContent {
    let first = plan.regions.count
    var widest = ChannelWidth.mono
    var heard: [Region] = []
    for region in heardRegions(of: track) {
      guard let planned = try planned(region) else { continue }
      heard.append(region)
      if planned.channels.width == .stereo {
        guard track.channelCount != 1 else { throw .channels(region.id) }
        widest = .stereo
      }
      plan.regions.append(planned)
    }
    let monitoring = monitoring(of: track)
    let hasRegions = plan.regions.count > first
    guard hasRegions || monitoring != .off else { return .nothing }
    if monitoring != .off, track.input2 != nil { widest = .stereo }
    if hasRegions, track.overlap == .crossfade { try crossfade(heard, first..<plan.regions.count, of: track) }
    let width = track.channelCount.map { $0 == 1 ? .mono : .stereo } ?? widest
    return .regions(first..<plan.regions.count, width, monitoring)
  }

  /// When the track's input is heard.
  private func monitoring(of track: Track) -> InputMonitoring {
    guard options.hearsInputs, track.isRecordEnabled else { return .off }
    switch track.monitor {
    case .off: return .off
    case .input: return .input
    case .auto: return .auto
    }
  }

  /// - Parameter regions: those at `range` of the plan.
  private mutating func crossfade(
    _ regions: [Region], _ range: Range<Int>, of track: Track
  ) throws(CompileError) {
    let map = clock.map
    let wholes = Crossfades.wholes(regions, plan.regions[range])
    let frames = wholes.map { $0.frames }
    let crossfades = Crossfades(of: frames, rate: clock.sampleRate) { lower, upper in
      regions[wholes[lower].last].isCrossfaded(into: regions[wholes[upper].first], in: map)
    }
    guard let crossfades else { throw .overlaps(track.id) }
    for (index, curves) in crossfades.curves {
      for part in wholes[index].parts { plan.regions[range.lowerBound + part].gain.multiply(by: curves) }
    }
  }

  /// `nil` if the region is inaudible.
  private mutating func planned(_ region: Region) throws(CompileError) -> PlannedRegion? {
    guard let span = region.audio, region.gain > .silence else { return nil }
    let file = PlayedFile(span)
    guard let source = media[file] else {
      missingFiles.insert(span.file)
      return nil
    }
    guard let channels = ChannelPick(span.channels, of: source.channelCount) else { throw .channels(region.id) }
    let start = region.startFlicks(in: clock.map)
    let anchor = clock.frame(at: start - span.offset)
    let lower = max(clock.frame(at: start), anchor)
    let upper = min(clock.frame(at: start + span.duration), TimelineFrame(of: source.end, anchor: anchor))
    guard lower < upper else { return nil }
    return PlannedRegion(
      regionID: region.id.rawValue, source: index(of: source, file), frames: lower..<upper, anchor: anchor,
      channels: channels, gain: clock.gain(of: region, span, start: start))
  }

  private mutating func index(of source: AudioSource, _ file: PlayedFile) -> Int {
    if let known = sourceIndices[file] { return known }
    plan.sources.append(source)
    sourceIndices[file] = plan.sources.count - 1
    return plan.sources.count - 1
  }

  // MARK: Instruments

  /// - Returns: its index, or `nil` if the track plays no instrument.
  @discardableResult
  private mutating func addInstrument(of track: Track, isParked: Bool = false) -> Int? {
    guard track.midiOutput == nil || options.playsExternalTracks else { return nil }
    let made = heardRegions(of: track).compactMap { regionPart(of: $0, reusing: earlier?.regions[$0.id]) }
    for part in made { parts.regions[part.region] = part }
    guard !made.isEmpty, let instrument = project.instrument(of: track.id) else { return nil }
    let part = earlier?.tracks[track.id].flatMap { $0.isMade(of: made) ? $0 : nil } ?? TrackEventsPart(made)
    parts.tracks[track.id] = part
    guard part.hasNotes else { return nil }
    guard let soundFont = instrument.soundFont else {
      if !isParked { tracksWithoutSoundFont.append(track.id) }
      return nil
    }
    guard let prepared = media.soundFonts[soundFont] else {
      if !isParked { missingSoundFonts.insert(soundFont) }
      return nil
    }
    let instrumentPlan = InstrumentPlan(
      soundFontPath: prepared.path, soundFontHash: prepared.sha256, bank: instrument.bank, program: instrument.program,
      isPercussion: isPercussion(track, made), sampleRate: clock.sampleRate, sequence: part.sequence,
      effects: InstrumentEffects(instrument))
    plan.instruments.append(
      PlannedInstrument(trackID: track.id.rawValue, plan: instrumentPlan, isParked: isParked))
    return plan.instruments.count - 1
  }

  /// Whether all notes of the regions in use are on channel 10. What is muted counts as well: another's drum kit does not
  /// change with it.
  /// - Parameter heard: the heard ones.
  private func isPercussion(_ track: Track, _ heard: [RegionPart]) -> Bool {
    guard heard.allSatisfy(\.isPercussion) else { return false }
    return (regionsByTrack[track.id] ?? []).allSatisfy { region in
      region.isHeard || !region.isInUse || (project.notes[region.id] ?? []).isPercussion
    }
  }

  /// `nil` if the region has neither notes nor events.
  private func regionPart(
    of region: Region, reusing known: RegionPart?, quantum: Int = InstrumentPlan.quantum, mutes: MutedSpans = .none
  ) -> RegionPart? {
    let (notes, events) = (project.notes[region.id] ?? [], project.events[region.id] ?? [])
    guard !notes.isEmpty || !events.isEmpty else { return nil }
    let start = clock.map.ticks(at: region.start)
    if let known, known.start == start, known.notes == notes, known.events == events, known.mutes == mutes {
      return known
    }
    return RegionPart(
      region: region.id, start: start, notes: notes, events: events, clock: clock, quantum: quantum, mutes: mutes)
  }

  // MARK: Ports

  private mutating func addPorts(_ lanes: inout LaneCurves) {
    for (strip, track) in routing.strips.enumerated() where track.trackType == .midi {
      let mutes = MutedSpans(routing.gates[strip].map { lanes.curve(of: $0) })
      let made = heardRegions(of: track).compactMap {
        regionPart(of: $0, reusing: earlier?.portRegions[$0.id], quantum: 1, mutes: mutes)
      }
      for part in made { parts.portRegions[part.region] = part }
      let known = earlier?.portTracks[track.id].flatMap { $0.isMade(of: made) ? $0 : nil }
      let part = known ?? TrackEventsPart(made, mutes: mutes)
      parts.portTracks[track.id] = part
      plan.ports.append(
        PlannedPort(
          trackID: track.id.rawValue, name: track.name.description, destination: track.midiOutput,
          isMuted: !routing.sends(track.id), sequence: part.sequence))
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
