import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTime
import Foundation

/// A take written as one file.
public struct JoinedTake: Sendable {
  public var take: Take
  public var path: String
  public var format: AudioFileFormat
  /// Frames of the file.
  public var frames: FrameCount
  /// Samples beyond full scale that were cut off.
  public var clippedSampleCount: Int64
}

/// The file that a take is written to.
public struct JoinTakeRequest: Sendable {
  public var path: String
  /// `nil`: by the path's ending, else WAV.
  public var container: AudioFileFormat.Container?
  /// `nil`: as it was recorded, or the nearest that the format has.
  public var encoding: SampleEncoding?
  /// One channel at the rate of this quality; `nil`: as it was recorded.
  public var quality: LossyQuality?
  /// The container when neither `container` nor the path's ending says one.
  public var usualContainer = AudioFileFormat.Container.wave
  /// An existing file is replaced.
  public var overwrites = false

  public init(path: String) { self.path = path }
}

extension Session {
  /// Writes the whole sound of a recorded take as one file, gaps as silence, without the gains and fades of its
  /// regions.
  /// - Parameter progress: called repeatedly with the frames done and the total. Returning `false` ends the work.
  /// - Throws: `Failure`; no incomplete file is left behind.
  public func joinTake(
    _ reference: String, _ request: JoinTakeRequest, progress: MediaProgress = { _, _ in true }
  ) throws -> JoinedTake {
    try failing {
      let place = try outputPlace(request.path)
      let (take, source) = try sound(ofTake: reference)
      let reader = try AudioFileReader(path: source.path)
      let facts = reader.facts
      var bounce = BounceRequest()
      (bounce.destination, bounce.container) = (.within(place), request.container)
      (bounce.encoding, bounce.overwrites) = (request.encoding, request.overwrites)
      (bounce.quality, bounce.usualContainer) = (request.quality, request.usualContainer)
      bounce.sampleRate = request.quality?.sampleRate
      var format = try self.format(of: bounce, at: facts.sampleRate)
      let isMixed = request.quality != nil && facts.channelCount == 2
      format.channelCount = isMixed ? 1 : facts.channelCount
      if request.encoding == nil, format.container.encodings.contains(source.manifest.encoding) {
        format.encoding = source.manifest.encoding
      }
      if let fault = try source.manifest.faults(path: source.path, hashes: false).first { throw fault }
      try format.requireRoom(
        for: RateStage.frameCount(facts.frames.frames, from: facts.sampleRate, to: format.sampleRate), at: place)
      let file = try audioFileSink(at: place, format: format, replaces: request.overwrites)
      do {
        let sink = format.sampleRate == facts.sampleRate ? file : try RateStage(from: facts.sampleRate, next: file)
        try copy(reader, to: isMixed ? MonoStage(next: sink) : sink, progress)
      } catch {
        file.cancel()
        throw error
      }
      return JoinedTake(
        take: take, path: place.path, format: format, frames: FrameCount(frames: file.frameCount),
        clippedSampleCount: file.clippedSampleCount)
    }
  }

  private func copy(_ reader: AudioFileReader, to sink: any AudioFileSink, _ progress: MediaProgress) throws {
    let (total, channelCount) = (reader.facts.frames.frames, reader.facts.channelCount)
    let blockFrames = max(1, 65_536 / channelCount)
    let block = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames * channelCount)
    defer { block.deallocate() }
    var done: Int64 = 0
    while done < total {
      guard progress(done, total) else {
        throw Failure(.interrupted, code: "interrupted", "Interrupted. Nothing was written.")
      }
      let count = try reader.read(at: done, count: blockFrames, into: block)
      try sink.append(interleaved: block, frameCount: count)
      done += Int64(count)
    }
    try sink.finish()
  }

  /// The manifest of what was recorded.
  private func sound(ofTake reference: String) throws -> (take: Take, source: (path: String, manifest: TakeManifest)) {
    try read { view in
      let take = try view.take(calledBy: reference)
      if try view.row(take.track)?.trackType == .midi {
        throw Failure(
          .invalid, code: "takeHasNoSound", "Take '\(take.name)' holds notes. Nothing was written.",
          hint: "'daw export' writes notes as a MIDI file.")
      }
      guard let pass = take.pass else {
        throw Failure(
          .invalid, code: "takeHasNoSound", "Take '\(take.name)' was not recorded. Nothing was written.",
          hint: "'daw bounce --track' renders what its regions play.")
      }
      let played = Set(try view.rows(Region.self, where: "take", is: take.id).compactMap { $0.audio?.file })
      let files = try view.audioFiles().filter { TakeManifest.isNamed($0.location.path) }
      for file in files.filter({ played.contains($0.id) }) + files.filter({ !played.contains($0.id) }) {
        guard let path = folder.find(file.location), let manifest = try TakeManifest.read(path: path),
          manifest.pass == pass.rawValue
        else { continue }
        return (take, (path, manifest))
      }
      throw Failure(
        .noInput, code: "fileNotFound", "The file of take '\(take.name)' is not there. Nothing was written.",
        hint: "'daw check' says which files are missing; 'daw recover-recordings' finishes what was interrupted.")
    }
  }
}
