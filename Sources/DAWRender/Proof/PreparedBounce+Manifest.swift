import DAWBounce
import DAWEngine
import DAWInstruments
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// The number of this daw.
public let dawVersion = "0.1.0"

extension PreparedBounce {
  /// What a file, or a folder of stems, that is complete was made of.
  /// - Parameters:
  ///   - file: was rendered with digests.
  ///   - folder: the project's. Every medium is read, so that the manifest vouches for its bytes.
  ///   - progress: in bytes of a file that is hashed.
  /// - Throws: `MediaWorkError.cancelled` too.
  func manifest(
    of file: BouncedFile, _ request: BounceRequest, _ format: AudioFileFormat, in folder: ProjectFolder,
    progress: MediaProgress
  ) throws -> RenderManifest {
    let rate = plan.sampleRate.hertz
    let digest = file.outcome.digest ?? SampleDigest(frameCount: 0, sha256: "", spanFrames: 0, spans: [])
    let stems = try file.stems.map { stem in
      RenderManifest.Stem(
        track: stem.track.uuidString, file: try .init(ofFile: stem.path, progress: progress),
        samples: .init(stem.digest ?? digest, sampleRate: rate))
    }
    let path = file.path ?? ""
    return RenderManifest(
      file: try request.writesStems
        ? .init(ofFolder: path, stems.map(\.file)) : .init(ofFile: path, progress: progress),
      samples: .init(digest, sampleRate: rate),
      stems: request.writesStems ? stems : nil,
      project: .init(
        id: project.id.uuidString, name: project.settings.name.text, revision: project.revision,
        sha256: tablesDigest ?? ""),
      arguments: request.manifestArguments ?? [], settings: settings(format, digest),
      media: try media(in: folder, progress),
      tracks: parts,
      versions: try versions(format), machine: .current)
  }

  private func settings(_ format: AudioFileFormat, _ digest: SampleDigest) -> [String: String] {
    [
      "first frame": "\(range.frames.lowerBound)", "frames": "\(digest.frameCount)",
      "project rate": "\(plan.sampleRate.hertz)", "file rate": "\(format.sampleRate.hertz)",
      "channels": "\(format.channelCount)", "container": format.container.rawValue,
      "encoding": format.encoding.rawValue, "pan law": project.settings.panLaw.rawValue,
    ]
  }

  /// What is heard, in order of path, once each.
  private func media(in folder: ProjectFolder, _ progress: MediaProgress) throws -> [RenderManifest.Medium] {
    let files = plan.regions.compactMap { region in
      project.regions[RegionID(rawValue: region.regionID)]?.audio.flatMap { project.audioFiles[$0.file]?.location }
    }
    let paths = Dictionary(files.map { ($0.path, folder.find($0)) }) { first, _ in first }
    let fonts = Dictionary(plan.instruments.map { ($0.plan.soundFontPath, $0.plan.soundFontPath) }) { first, _ in first
    }
    return try paths.merging(fonts) { first, _ in first }.sorted { $0.key < $1.key }.compactMap { name, path in
      try path.map { RenderManifest.Medium(path: name, sha256: try sha256(ofFile: $0, progress: progress).sha256) }
    }
  }

  /// Each strip that is heard, and the master, in the order of the plan.
  private var parts: [RenderManifest.Part] {
    let master = project.tracks.values.first { $0.trackType == .master }?.id.rawValue
    var texts: [Int64: String] = [:]
    var order: [Int64] = []
    func add(_ strip: StripID, _ text: String) {
      if texts[strip.trackID] == nil { order.append(strip.trackID) }
      texts[strip.trackID, default: ""] += text
    }
    for step in plan.steps {
      switch step {
      case .sumRegions(let strip, let regions, _, let width):
        add(strip, "\(width)" + plan.regions[regions].map { "\n" + describe($0) }.joined())
      case .playInstrument(let strip, let index, _): add(strip, plan.instruments[index].plan.digest)
      case .clear(let strip, _) where strip.trackID != master: add(strip, "bus")
      case .shape(let strip, _, _, let shape): add(strip, "\n\(shape)")
      case .widen(let strip, _, let gain): add(strip, "\nstereo \(gain)")
      case .insert(let strip, let index, _, let width, _): add(strip, "\n\(width) \(plan.inserts[index])")
      case .delay, .monitor: continue
      case .mix(let connection, _, let width, _, let left, let right):
        let isOutputOfMaster = connection.kind == .output && connection.target.trackID == master
        add(connection.source, "\n\(width) \(left) \(right)" + (isOutputOfMaster ? "" : " \(connection)"))
      case .output(let strip, _, let left, let right): add(strip, "\(left) \(right)")
      case .clear: continue
      }
    }
    return order.compactMap { id in
      guard let track = project.tracks[TrackID(rawValue: id)], var text = texts[id] else { return nil }
      var hash = StreamingSHA256()
      text.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
      return .init(id: track.id.uuidString, name: track.name.text, sha256: hash.hexDigest())
    }
  }

  private func describe(_ region: PlannedRegion) -> String {
    let isReversed = project.regions[RegionID(rawValue: region.regionID)]?.audio?.isReversed == true
    return
      "\(plan.sources[region.source].sha256) \(region.frames) \(region.anchor) \(region.channels) \(region.gain)"
      + (isReversed ? " reversed" : "")
  }

  private func versions(_ format: AudioFileFormat) throws -> [String: String] {
    var versions = [
      "daw": dawVersion, "libsndfile": MediaLibraries.sndfileVersion, "soxr": MediaLibraries.soxrVersion,
      "SQLite": SQLiteVersion.current,
    ]
    if !plan.instruments.isEmpty { versions["FluidSynth"] = try SoundFontLibrary.fluidSynthVersion() }
    if format.container == .m4a { versions["ffmpeg"] = FFmpeg.find()?.version }
    return versions
  }
}

extension ProjectView {
  /// SHA-256 of the model's tables: 64 hexadecimal digits.
  func tablesDigest() throws -> String {
    var hash = StreamingSHA256()
    try dump { hash.update($0) }
    return hash.hexDigest()
  }
}
