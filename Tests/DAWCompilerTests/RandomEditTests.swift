import DAWEngine
import DAWMedia
import DAWModel
import DAWTestSupport
import Testing

@testable import DAWCompiler

@Test func anIncrementallyCompiledPlanEqualsAFreshOne() throws {
  let first = Seed.current()
  // Few regions are heard beside tracks that are solo: with one seed in many none.
  let heard = try (0..<4).map { try comparePlans(seed: first &+ $0) }
  #expect(heard.contains { $0 > 0 }, "seeds from \(first): no regions nor instruments")
}

/// - Returns: the most regions and instruments that a plan had.
private func comparePlans(seed: UInt64) throws -> Int {
  var edits = RandomEdits(seed: seed)
  var project = Project(
    id: .random(), createdDate: Timestamp(milliseconds: 0), settings: ProjectSettings(), master: TrackID(rawValue: 1))
  let options = CompileOptions(
    silencesMissingMedia: true, hasPorts: true, hasDirectOuts: true, keepsMutedInstruments: true)
  var parts: CompiledParts?
  var compiled = 0
  var mostRegions = 0
  for step in 0..<500 {
    guard let next = try? project.applying(edits.next(for: project)) else { continue }
    project = next
    var media = MediaTable()
    for file in project.audioFiles.values {
      media.audioFiles[file.id] = AudioSource(
        path: file.location.path, sha256: file.location.sha256, frameCount: file.frames.frames,
        channelCount: file.channelCount,
        content: .plain(PCMLayout(dataOffset: 44, encoding: .int16, channelCount: file.channelCount)))
    }
    media.reversedFiles = media.audioFiles.mapValues { source in
      var source = source
      source.path += "-reversed"
      return source
    }
    for font in project.soundFonts.values {
      media.soundFonts[font.id] = PreparedSoundFont(path: font.location.path, sha256: font.location.sha256)
    }
    let fresh: RenderPlan
    do throws(CompileError) {
      fresh = try compile(project, media: media, options: options).plan
    } catch {
      #expect(throws: CompileError.self) { try compile(project, media: media, options: options, reusing: parts) }
      continue
    }
    let reused = try compile(project, media: media, options: options, reusing: parts)
    parts = reused.parts
    #expect(reused.plan == fresh, "seed \(seed), step \(step)")
    compiled += 1
    mostRegions = max(mostRegions, fresh.regions.count + fresh.instruments.count)
  }
  #expect(compiled > 50, "seed \(seed): \(compiled) plans")
  return mostRegions
}
