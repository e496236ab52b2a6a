import ArgumentParser
import DAWErrors
import DAWPlay
import DAWProject
import DAWRender
import DAWTime
import Foundation

struct Bounce: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "bounce",
    abstract: "Render the project to an audio file, faster than real time.",
    discussion: """
      Renders the master from 0 to the end of the last region, plus the tail. Without -o the file is Bounces/NAME.wav, \
      numbered if that exists. The file appears only when it is complete.

        daw bounce -o mix.wav
        daw bounce -o chorus.flac --from 9.1.0 --to 17.1.0 --bits 16
        daw bounce --track Bass --track Drums -o rhythm.wav --overwrite
        daw bounce -o - --bits 32f | sox - -d
        daw bounce -o master.wav --bits 16 --rate 44.1k --dither tpdf
        daw bounce -o episode.mp3 --normalize -16LUFS
        daw bounce -o one.mp3 --title One --artist Me --cover me.jpg --chapters
        daw bounce -o stems --stems
        daw bounce -o loop.wav --from 5.1.0 --to 9.1.0 --loop-tail
        daw bounce --preset cd
        daw bounce --verify
        daw bounce -o mix.wav --manifest && daw verify mix.wav

      A file that would not match the project is refused, unless --allow names the problem: empty (a range without \
      length), silent (all is muted, soloed away, or outside the range), missing (a medium is not there), changed \
      (a medium holds other bytes than the project recorded). Warnings are clipped (samples beyond full scale were cut off), \
      tail (what rings on is cut while it still sounds above -60 dBFS), external (a MIDI track that has an output of its \
      own is left to it, unless --external has its instrument play it) and quiet (the result is very quiet); to allow one \
      leaves it out.

      --normalize applies one gain: what would bring the true peak above --ceiling is refused, with the highest level that \
      is possible, unless --limit puts a limiter behind the gain. A preset of your own is a file presets/NAME.json in $XDG_CONFIG_HOME/daw or \
      ~/.config/daw, an object whose keys are options of this command: format, bits, rate (in hertz), mono, dither, \
      loudness, normalize, ceiling, limit, tail, bext, ixml, markers, description, originator, title, artist, album, \
      comment, cover, chapters; and quality, of Ogg Vorbis and M4A: low, medium or high.

      Tags, a cover and chapters go into MP3, M4A, FLAC, Ogg and Opus, to standard output as well. With --stems each file \
      has them, and its track's name behind the title. Nothing is written that is not asked for.

      What instruments play and what strips with effects sound like is kept in the project's Cache/, so that the next \
      bounce renders only what has changed; the bits are the same. The cache may hold 2 GiB, or what {"cacheLimit": "500M"} in settings.json beside the presets \
      says, or DAW_CACHE_LIMIT.
      """)

  @OptionGroup var target: BounceOutputOptions
  @OptionGroup var range: BounceRangeOptions
  @OptionGroup var loudness: BounceLoudnessOptions
  @OptionGroup var description: BounceDescriptionOptions
  @OptionGroup var tags: BounceTagOptions
  @OptionGroup var rendering: BounceRunOptions
  @OptionGroup var proof: BounceProofOptions
  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let progress = ProgressBar(label: "Bouncing", isShown: !project.output.json && !project.output.quiet)
    defer { progress.clear() }
    let playhead = Playhead(of: session)
    var asked = try self.request(playhead: proof.manifest ? Self.refusePlayhead : playhead.position)
    if proof.manifest { asked.manifestArguments = try ManifestArguments.kept(of: ProgramArguments.words) }
    let request = asked
    let goesOn = { (done: Int64, total: Int64) -> Bool in
      progress.show(done, of: total)
      return !Interruption.wasRequested
    }
    if proof.isWithoutFile(request) {
      var report = try Interruption.catching {
        try session.digest(of: request, verifies: proof.verify, progress: goesOn)
      }
      if target.output != nil {
        report.warnings.append("'--digest' writes no file, so that '-o' is left out; '--verify' does both.")
      }
      return CommandResult(
        lines: proof.explained([report.sha256], report.renders), made: [report.sha256], json: report.json,
        warnings: report.warnings)
    }
    try target.requireFolderOfStems()
    // Else the bounce itself asks.
    if proof.verify { try session.requireOutput(of: request) }
    let (proved, report) = try Interruption.catching {
      (
        proof.verify ? try session.digest(of: request, verifies: true, progress: goesOn) : nil,
        try session.bounce(request, progress: goesOn)
      )
    }
    let lines = report.lines + (proved.map { [$0.sha256] } ?? [])
    return CommandResult(
      lines: target.isStandardOutput ? [] : proof.explained(lines, report.renders),
      made: report.path.map { [$0] } ?? [], json: report.json, warnings: report.warnings)
  }

  /// For a manifest, by which 'daw verify' renders the same range again.
  @Sendable private static func refusePlayhead() throws -> FlickPosition {
    throw Failure(
      .usage, code: "invalidCombination",
      "A manifest names the range, and '@playhead' is elsewhere when 'daw verify' reads it.",
      hint: "Give the position itself: 'daw transport status' shows it.")
  }

  /// What was asked for.
  /// - Parameter playhead: asked for `@playhead`.
  func request(playhead: @escaping Timeline.PlayheadSource = Self.refusePlayhead) throws -> BounceRequest {
    var request = BounceRequest()
    let preset =
      try target.preset.map { try BouncePreset.named($0, ProcessInfo.processInfo.environment) } ?? BouncePreset()
    try target.apply(preset, to: &request)
    try range.apply(preset, to: &request, playhead: playhead)
    try description.apply(preset, to: &request)
    tags.apply(preset, to: &request)
    // True peaks cost more than the mix, so they are measured only on request.
    try loudness.apply(preset, to: &request, isUsual: project.output.json)
    try rendering.apply(to: &request)
    proof.apply(to: &request)
    return request
  }

  func validate() throws {
    if target.preset == nil { try description.requirePlace() }
    if target.isStandardOutput, proof.manifest {
      throw Exclusion.error("'--manifest' lies beside a file, and '-o -' writes none.")
    }
    if target.isStandardOutput, project.output.json || project.output.quiet {
      throw Exclusion.error("Standard output is the audio with '-o -', so '--json' and '--quiet' have no place.")
    }
    try refuseOptionsOfNoFile()
    if target.stems, loudness.limit == true {
      throw Exclusion.error("'--limit' acts on the mix, and stems are written one by one: leave one of them out.")
    }
  }

  /// Options that would have no effect, since there is no file.
  private func refuseOptionsOfNoFile() throws {
    guard proof.digest || proof.verify && target.output == nil else { return }
    let manifest = proof.manifest ? ["--manifest"] : []
    let options = target.forFile + loudness.forFile + description.forFile + tags.forFile + manifest
    guard let option = options.first else { return }
    throw Exclusion.error(
      "'\(option)' is for a file, and "
        + (proof.digest
          ? "'--digest' writes none: leave one of them out." : "'--verify' writes one only with '-o'."))
  }
}
