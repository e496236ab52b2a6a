import DAWMedia
import DAWModel
import DAWTime

extension RecordingFacts {
  /// The facts that a recording's files tell.
  /// - Parameters:
  ///   - folder: within the project's folder.
  ///   - ids: of the passes whose rows are made; `nil`: of all.
  ///   - found: what `daw` found in the passes, by their ids.
  ///   - isCompleted: whether the recording has ended; else its process still writes it.
  ///   - isRecovered: whether it was ended by another process than the one that recorded it.
  package init(
    _ description: RecordingDescription, folder: String, ofPasses ids: Set<Int64>? = nil,
    found: [Int64: Set<String>] = [:], isCompleted: Bool = false, isRecovered: Bool = false
  ) {
    let header = description.header
    let id = RecordingID(rawValue: header.recording)
    let start = Timestamp(milliseconds: header.startTime)
    let clock = RecordingClock(description)
    let described = ids.map { ids in ids.sorted().compactMap { description[pass: $0] } } ?? description.passes
    let passes = described.map { pass in
      Self.row(of: pass, of: id, clock, found: found[pass.header.pass] ?? [])
    }
    let segments = described.flatMap { pass in
      pass.segments.map { file in
        RecordedSegment(
          pass: PassID(rawValue: pass.header.pass), index: file.index, start: FrameCount(frames: file.startFrame),
          frames: FrameCount(frames: file.frames), path: file.isSpilled ? file.name : "\(folder)/\(file.name)",
          fileSize: file.byteCount, sha256: file.sha256,
          createdAt: clock.time(at: pass.header.firstHostFrame + file.startFrame),
          state: Self.state(of: file, isCompleted: isCompleted, isRecovered: isRecovered))
      }
    }
    let gaps = described.flatMap { Self.gaps(of: $0, isCompleted: isCompleted) }
    let length = description.frameCount
    let endTime = description.endTime ?? header.startTime + milliseconds(of: length, at: header.sampleRate)
    let recording = Recording(
      id: id, createdAt: start, startTime: start,
      endTime: isCompleted ? Timestamp(milliseconds: endTime) : nil, isCompleted: isCompleted,
      duration: FrameCount(frames: length),
      sampleRate: SampleRate(hertz: header.sampleRate), bitDepth: 8 * header.encoding.bytesPerSample, folder: folder,
      owner: isCompleted ? nil : OwnerProcess(header.owner))
    self.init(recording, passes: passes, segments: segments, gaps: gaps)
  }

  /// The rows that are not in earlier facts about the recording, and its own.
  package func changes(since earlier: RecordingFacts?) -> RecordingFacts {
    guard let earlier else { return self }
    let (passes, segments, gaps) = (Set(earlier.passes), Set(earlier.segments), Set(earlier.gaps))
    return RecordingFacts(
      recording, passes: self.passes.filter { !passes.contains($0) },
      segments: self.segments.filter { !segments.contains($0) }, gaps: self.gaps.filter { !gaps.contains($0) })
  }

  private static func row(
    of pass: RecordingDescription.Pass, of recording: RecordingID, _ clock: RecordingClock, found: Set<String>
  ) -> RecordedPass {
    let header = pass.header
    return RecordedPass(
      id: PassID(rawValue: header.pass), recording: recording, track: TrackID(rawValue: header.track),
      number: header.number, channelCount: header.channelCount, startTime: clock.time(at: header.firstHostFrame),
      firstHostFrame: header.firstHostFrame, frames: FrameCount(frames: pass.frames),
      captureLatency: FrameCount(frames: Int64(header.captureLatency)),
      playbackLatency: FrameCount(frames: Int64(header.playbackLatency)), inputs: header.inputs, pieces: pass.pieces,
      foundTags: Tags(found), trackName: trackName(of: header))
  }

  /// The gaps of a pass, and one frame for each place at which MIDI events were lost.
  static func gaps(of pass: RecordingDescription.Pass, isCompleted: Bool) -> [RecordedGap] {
    let id = PassID(rawValue: pass.header.pass)
    let gaps = pass.gaps.map { gap in
      RecordedGap(
        pass: id, start: FrameCount(frames: gap.start), frames: FrameCount(frames: gap.frames), cause: gap.cause)
    }
    let losses = startsOfLosses(in: pass, isCompleted: isCompleted).map { start in
      RecordedGap(pass: id, start: FrameCount(frames: start), frames: FrameCount(frames: 1), cause: .lostEvents)
    }
    return gaps + losses
  }

  /// Where the gaps begin that say that MIDI events were lost, in order. No two gaps of a pass begin at one frame:
  /// where another one does, this one begins at the next that is free; at the end of a completed pass, at one before.
  private static func startsOfLosses(in pass: RecordingDescription.Pass, isCompleted: Bool) -> [Int64] {
    let taken = Set(pass.gaps.map(\.start))
    let last = isCompleted ? max(0, pass.frames - 1) : .max
    var starts: [Int64] = []
    var free: Int64 = -1
    // From a frame up to the free one behind it all are taken.
    for frame in Set(pass.lostEvents.map { min($0.atFrame, last) }).sorted() where frame > free {
      free = frame
      while taken.contains(free) { free += 1 }
      if free > last {
        free = last
        while taken.contains(free) { free -= 1 }
        if free >= 0, free != starts.last { starts.append(free) }
        break
      }
      starts.append(free)
    }
    return starts
  }

  /// As far as a row holds it.
  private static func trackName(of pass: PassHeader) -> String {
    let scalars = pass.trackName.unicodeScalars.filter { $0 != "\0" }.prefix(RecordedPass.maximumNameLength)
    return String(String.UnicodeScalarView(scalars))
  }

  private static func state(
    of file: RecordedSegmentFile, isCompleted: Bool, isRecovered: Bool
  ) -> RecordedSegment.State {
    if file.isMissing { return .missing }
    if isRecovered { return .recovered }
    return file.sha256 == nil && !isCompleted ? .recording : .sealed
  }
}

/// The system's clock at a frame of the host, by the rate of a recording.
private struct RecordingClock {
  /// Milliseconds since 1970.
  let startTime: Int64
  let firstHostFrame: Int64
  let rate: Int

  init(_ description: RecordingDescription) {
    startTime = description.header.startTime
    firstHostFrame = description.passes.map(\.header.firstHostFrame).min() ?? 0
    rate = description.header.sampleRate
  }

  func time(at hostFrame: Int64) -> Timestamp {
    let frames = max(0, hostFrame.subtractingReportingOverflow(firstHostFrame).partialValue)
    return Timestamp(milliseconds: startTime + milliseconds(of: frames, at: rate))
  }
}

/// - Parameter rate: in hertz; another's file may say any.
/// - Returns: at most 2^53.
private func milliseconds(of frames: Int64, at rate: Int) -> Int64 {
  let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(max(1, rate)))
  return min(seconds, 1 << 43) * 1_000 + rest * 1_000 / Int64(max(1, rate))
}
