import DAWMedia
import DAWModel
import DAWTime

extension RecordingFacts {
  /// The facts that a recording's files tell.
  /// - Parameters:
  ///   - folder: within the project's folder.
  ///   - found: what `daw` found in the passes, by their ids.
  ///   - isCompleted: whether the recording has ended; else its process still writes it.
  ///   - isRecovered: whether it was ended by another process than the one that recorded it.
  package init(
    _ description: RecordingDescription, folder: String, found: [Int64: Set<String>] = [:], isCompleted: Bool = false,
    isRecovered: Bool = false
  ) {
    let header = description.header
    let id = RecordingID(rawValue: header.recording)
    let start = Timestamp(milliseconds: header.startTime)
    let firstHostFrame = description.passes.map(\.header.firstHostFrame).min() ?? 0
    /// The system's clock at a frame of the host, by the rate of the recording.
    func time(_ hostFrame: Int64) -> Timestamp {
      let frames = max(0, hostFrame.subtractingReportingOverflow(firstHostFrame).partialValue)
      return Timestamp(milliseconds: header.startTime + Self.milliseconds(of: frames, at: header.sampleRate))
    }
    let passes = description.passes.map { pass in
      RecordedPass(
        id: PassID(rawValue: pass.header.pass), recording: id, track: TrackID(rawValue: pass.header.track),
        number: pass.header.number, channelCount: pass.header.channelCount,
        startTime: time(pass.header.firstHostFrame), firstHostFrame: pass.header.firstHostFrame,
        frames: FrameCount(frames: pass.frames),
        captureLatency: FrameCount(frames: Int64(pass.header.captureLatency)),
        playbackLatency: FrameCount(frames: Int64(pass.header.playbackLatency)), inputs: pass.header.inputs,
        pieces: pass.pieces, foundTags: Tags(found[pass.header.pass] ?? []),
        trackName: Self.trackName(of: pass.header))
    }
    let segments = description.passes.flatMap { pass in
      pass.segments.map { file in
        RecordedSegment(
          pass: PassID(rawValue: pass.header.pass), index: file.index, start: FrameCount(frames: file.startFrame),
          frames: FrameCount(frames: file.frames), path: file.isSpilled ? file.name : "\(folder)/\(file.name)",
          fileSize: file.byteCount, sha256: file.sha256,
          createdAt: time(pass.header.firstHostFrame + file.startFrame),
          state: Self.state(of: file, isCompleted: isCompleted, isRecovered: isRecovered))
      }
    }
    let gaps = description.passes.flatMap { pass in
      pass.gaps.map { gap in
        RecordedGap(
          pass: PassID(rawValue: pass.header.pass), start: FrameCount(frames: gap.start),
          frames: FrameCount(frames: gap.frames), cause: RecordedGap.Cause(gap.cause))
      }
        + Self.startsOfLosses(in: pass, isCompleted: isCompleted).map { start in
          RecordedGap(
            pass: PassID(rawValue: pass.header.pass), start: FrameCount(frames: start),
            frames: FrameCount(frames: 1), cause: .lostEvents)
        }
    }
    let length = description.frameCount
    let endTime = description.endTime ?? header.startTime + Self.milliseconds(of: length, at: header.sampleRate)
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

  /// - Parameter rate: in hertz; another's file may say any.
  /// - Returns: at most 2^53.
  private static func milliseconds(of frames: Int64, at rate: Int) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(max(1, rate)))
    return min(seconds, 1 << 43) * 1_000 + rest * 1_000 / Int64(max(1, rate))
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
