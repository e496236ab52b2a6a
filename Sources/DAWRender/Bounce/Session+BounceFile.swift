import DAWBounce
import DAWEngine
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

extension Session {
  /// Refuses, before anything is read or rendered, a file or a manifest that would lie among the files of a project, or
  /// replace a medium.
  /// - Throws: `Failure`.
  public func requireOutput(of request: BounceRequest) throws {
    guard case .file(let path) = request.destination else { return }
    let place = try outputPlace(path, isFolder: request.writesStems)
    if request.manifestArguments != nil { try outputPlace(RenderManifest.path(beside: place.path)) }
  }

  /// The destination of a bounce to one file.
  func fileTarget(
    _ request: BounceRequest, _ prepared: PreparedBounce, _ format: AudioFileFormat, _ tags: FileTags
  ) throws -> (place: Place?, open: BouncePasses.Opener) {
    let described = description(request, prepared, format, nil)
    switch request.destination {
    case .standardOutput:
      if case .fixed(let tail) = prepared.range.tail, described == nil,
        format.container == .wave || format.container == .rf64,
        request.normalization == nil, !prepared.range.isLoop
      {
        let frames = Int64(prepared.range.frames.count) + tail
        let count = RateStage.frameCount(frames, from: prepared.plan.sampleRate, to: format.sampleRate)
        return (nil, { _ in try WaveWriter(descriptor: STDOUT_FILENO, format: format, frameCount: count) })
      }
      try requireCacheFolder()
      let place = newScratchPlace()
      try requireRoom(for: prepared, format, at: place)
      return (
        nil,
        { loudness in
          CopyingSink(
            next: try audioFileSink(
              at: place, format: format, description: described, tags: tags, loudness: loudness),
            place: place, descriptor: STDOUT_FILENO)
        }
      )
    case .file, .within, .automatic:
      let place =
        try request.destination.place
        ?? automaticPlace(prepared.project.settings.name.text, ending: "." + format.container.fileEnding)
      try requireRoom(for: prepared, format, at: place)
      return (
        place,
        {
          try audioFileSink(
            at: place, format: format, replaces: request.overwrites && request.destination != .automatic,
            description: described, tags: tags, loudness: $0)
        }
      )
    }
  }

  /// Refuses a range that its disk cannot hold, whatever tail follows.
  func requireRoom(
    for prepared: PreparedBounce, _ format: AudioFileFormat, at place: Place, count: Int = 1
  ) throws(AudioFileWriteError) {
    let frames = Int64(prepared.range.frames.count)
    try format.requireRoom(
      for: RateStage.frameCount(frames, from: prepared.plan.sampleRate, to: format.sampleRate), at: place, count: count)
  }

  /// `Bounces/NAME.wav`, with the lowest number that is free behind the name, of which a long one is cut.
  func automaticPlace(_ name: String, ending: String) throws -> Place {
    let bounces = folder.place("Bounces")
    let open = try folder.openToWrite(bounces, state: "Nothing was written.", orElse: "say where the file goes with -o")
    var name = name.replacingOccurrences(of: "/", with: "-")
    // A file's name has at most 255 bytes, ending, number, and what the writer adds meanwhile included.
    while name.utf8.count > 200 { name.unicodeScalars.removeLast() }
    var candidate = name + ending
    var number = 2
    while open.status(of: candidate) != nil {
      candidate = "\(name) \(number)\(ending)"
      number += 1
    }
    return bounces.appending(candidate)
  }

  /// Metadata of the file; `nil` when none was requested.
  /// - Parameter track: the name of a stem's track.
  func description(
    _ request: BounceRequest, _ prepared: PreparedBounce, _ format: AudioFileFormat, _ track: String?
  ) -> WaveDescription? {
    guard !request.description.isEmpty else { return nil }
    let name = prepared.project.settings.name.text
    let text = request.description.text ?? (track.map { "\(name): \($0)" } ?? name)
    let place = RateStage.frameCount(
      prepared.range.frames.lowerBound.position.frames, from: prepared.plan.sampleRate, to: format.sampleRate)
    return WaveDescription(
      description: text, originator: request.description.originator, timeReference: place,
      hasExtension: request.description.hasExtension,
      xml: request.description.hasXML
        ? BounceXML(project: name, track: track, note: request.description.text, format: format, timeReference: place)
          .text
        : nil, markers: request.description.hasMarkers ? markers(prepared, format) : [])
  }

  /// The markers of the range and, where its length is given, of its tail, in the file's frames. One that ends by level
  /// may be shorter than a marker is far, and where it ends is not known when the file begins.
  func markers(_ prepared: PreparedBounce, _ format: AudioFileFormat) -> [WaveMarker] {
    let (map, rate) = (prepared.project.tempoMap, prepared.plan.sampleRate)
    let first = prepared.range.frames.lowerBound
    var last = prepared.range.frames.upperBound
    if case .fixed(let tail) = prepared.range.tail { last += Int(tail) }
    return prepared.project.markers.values.compactMap { marker in
      let frame = TimelineFrame(map.flicks(at: marker.start).frames(at: rate))
      guard (first..<max(first + 1, last)).contains(frame) else { return nil }
      return WaveMarker(
        frame: RateStage.frameCount(Int64(frame - first), from: rate, to: format.sampleRate), name: marker.name.text)
    }.sorted { ($0.frame, $0.name) < ($1.frame, $1.name) }
  }
}
