import DAWTime
import Glibc

/// The file that a recorded segment was compressed to. It lies in the segment's folder and has its name with another
/// ending; where the segment's own file is gone, it is read in its place. Ledgers and manifests go on naming the
/// segment.
public enum CompressedSegment {
  static let endings = [".flac", ".ogg"]
  private static let recordedEnding = ".wav"

  /// The names that the compressed file of a segment may have; empty if the name is not a segment's.
  public static func names(for segment: String) -> [String] {
    guard segment.hasSuffix(recordedEnding), segment.count > recordedEnding.count else { return [] }
    return endings.map { segment.dropLast(recordedEnding.count) + $0 }
  }

  /// The name that the segment had whose compressed file has a name; `nil` if none has.
  public static func recordedName(of compressed: String) -> String? {
    endings.first(where: compressed.hasSuffix).map { compressed.dropLast($0.count) + recordedEnding }
  }

  /// The name of the file that holds a segment's sound: the segment's own, as long as it is there.
  static func nameAtHand(of segment: String, in folder: Folder) -> String? {
    ([segment] + names(for: segment)).first { folder.status(of: $0)?.isFile == true }
  }
}

/// What the sound of a segment is, whatever its file is now.
public struct SegmentSound: Hashable, Sendable {
  public var sampleRate: SampleRate
  public var channelCount: Int
  public var frames: Int64

  public init(sampleRate: SampleRate, channelCount: Int, frames: Int64) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.frames = frames
  }
}

/// Reads a compressed segment as it was recorded: at its rate, with its channels and its number of frames. The channels
/// of one that was mixed to one are equal. A step back decodes from the start again, unless the file is FLAC. Used by
/// one thread at a time.
public final class CompressedSegmentReader {
  public let sound: SegmentSound

  private let file: OpenAudioFile
  private var decoder: SoundFileDecoder
  private var resampler: Resampler?
  /// The next frame, at the recording's rate.
  private var position: Int64 = 0
  /// Frames that were decoded and not resampled yet.
  private var pending: Range<Int> = 0..<0
  private let decoded: UnsafeMutablePointer<Float>
  private let given: UnsafeMutablePointer<Float>

  private static let blockFrames = 4_096

  /// - Throws: `.damaged` if it is not the sound of such a segment; the errors of opening. A link is followed.
  public convenience init(path: String, as sound: SegmentSound) throws(AudioFileError) {
    try self.init(OpenAudioFile(path: path), as: sound)
  }

  init(_ file: OpenAudioFile, as sound: SegmentSound) throws(AudioFileError) {
    let decoder = try SoundFileDecoder(file)
    guard [1, sound.channelCount].contains(decoder.channelCount), sound.channelCount > 0, sound.frames >= 0 else {
      throw .damaged(path: file.path, reason: "not a segment of this take")
    }
    self.file = file
    self.sound = sound
    self.decoder = decoder
    decoded = .allocate(capacity: Self.blockFrames * decoder.channelCount)
    given = .allocate(capacity: Self.blockFrames * decoder.channelCount)
    try begin(decoder)
  }

  deinit {
    decoded.deallocate()
    given.deallocate()
  }

  /// Reads frames.
  /// - Parameters:
  ///   - frame: ≥ 0; behind the end nothing is read.
  ///   - samples: room for `count` frames, interleaved, with the segment's channels.
  /// - Returns: frames read; fewer than `count` only at the end of the segment.
  /// - Throws: `.endsEarly` if the file holds less than the segment.
  public func read(
    at frame: Int64, count: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(AudioFileError) -> Int {
    guard frame >= 0, frame < sound.frames, count > 0 else { return 0 }
    let wanted = Int(min(Int64(count), sound.frames - frame))
    try seek(to: frame)
    var done = 0
    while done < wanted {
      let step = try next(min(Self.blockFrames, wanted - done))
      spread(step, to: samples + done * sound.channelCount)
      done += step
    }
    _ = Samples.silenceNotFinite(samples, count: done * sound.channelCount)
    return done
  }

  /// Reads all of it.
  /// - Throws: as `read`.
  func readWhole() throws(AudioFileError) {
    try seek(to: 0)
    while position < sound.frames { _ = try next(Int(min(Int64(Self.blockFrames), sound.frames - position))) }
  }

  private func begin(_ decoder: SoundFileDecoder) throws(AudioFileError) {
    self.decoder = decoder
    position = 0
    pending = 0..<0
    guard decoder.sampleRate != sound.sampleRate else { return }
    do throws(ResamplerFailure) {
      resampler = try Resampler(from: decoder.sampleRate, to: sound.sampleRate, channelCount: decoder.channelCount)
    } catch {
      throw .damaged(path: file.path, reason: error.reason)
    }
  }

  private func seek(to frame: Int64) throws(AudioFileError) {
    if position == frame { return }
    if resampler == nil, decoder.seek(to: frame) {
      position = frame
      return
    }
    if position > frame {
      let again = try SoundFileDecoder(OpenAudioFile(reopening: file))
      guard again.channelCount == decoder.channelCount else { throw .changedWhileRead(path: file.path) }
      try begin(again)
    }
    while position < frame { _ = try next(Int(min(Int64(Self.blockFrames), frame - position))) }
  }

  /// Puts the next frames into `given`.
  /// - Returns: how many, at least 1.
  private func next(_ count: Int) throws(AudioFileError) -> Int {
    var done = 0
    if let resampler {
      while done == 0 {
        if pending.isEmpty { pending = 0..<(try decode(into: decoded, count: Self.blockFrames)) }
        let isAtEnd = pending.isEmpty
        if isAtEnd { try requireAllDecoded() }
        do throws(ResamplerFailure) {
          let step = try resampler.process(
            isAtEnd ? nil : decoded + pending.lowerBound * decoder.channelCount, count: pending.count, into: given,
            capacity: count)
          pending = (pending.lowerBound + step.taken)..<pending.upperBound
          done = step.given
        } catch {
          throw .damaged(path: file.path, reason: error.reason)
        }
        if isAtEnd, done == 0 {
          // The rounded length may be a frame or two more than soxr gives back.
          given.update(repeating: 0, count: count * decoder.channelCount)
          done = count
        }
      }
    } else {
      done = try decode(into: given, count: count)
      guard done > 0 else { throw .endsEarly(path: file.path, atFrame: position, expectedFrames: sound.frames) }
    }
    position += Int64(done)
    return done
  }

  private func decode(into samples: UnsafeMutablePointer<Float>, count: Int) throws(AudioFileError) -> Int {
    do throws(AudioFileError) {
      return try decoder.decode(into: samples, count: count)
    } catch {
      // The next read opens the file again.
      position = .max
      throw error
    }
  }

  /// The file must hold the frames that the segment has at its rate.
  private func requireAllDecoded() throws(AudioFileError) {
    let expected = RateStage.frameCount(sound.frames, from: sound.sampleRate, to: decoder.sampleRate)
    guard decoder.position >= expected else {
      throw .endsEarly(path: file.path, atFrame: decoder.position, expectedFrames: expected)
    }
  }

  private func spread(_ count: Int, to samples: UnsafeMutablePointer<Float>) {
    let channels = sound.channelCount
    guard decoder.channelCount != channels else { return samples.update(from: given, count: count * channels) }
    for frame in 0..<count {
      for channel in 0..<channels { samples[frame * channels + channel] = given[frame] }
    }
  }
}
