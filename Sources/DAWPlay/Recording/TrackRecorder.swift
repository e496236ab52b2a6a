import DAWEngine
import DAWMedia
import DAWTime

/// The latencies of an input, as the server reports them, in frames.
struct CaptureLatency: Equatable {
  var capture: Int
  var playback: Int

  /// Frames from what is played to what comes in for it.
  func lag(_ alignment: RecordAlignment) -> Int { alignment == .heard ? capture + playback : capture }
}

/// What came in: samples, or a reason why there are none.
enum CapturedInput {
  case ring(CaptureRing, index: Int)
  case gap(GapCause)

  /// A torn block, which other clients may have overwritten before it was copied, is a gap.
  init(_ run: CapturedBlock, _ ring: CaptureRing) {
    self = run.isTorn ? .gap(.xrun) : .ring(ring, index: run.index)
  }
}

/// The plan by which frames of a pass were played, up to the next one.
struct PlayedPlan: Equatable, Sendable {
  /// The first of them, in frames of the pass.
  var atFrame: Int64
  var number: UInt64
}

/// What becomes of a track's frames where the recording's folder has no room.
enum RoomChange: Equatable {
  /// They are counted as a gap.
  case lost
  /// They are written into this folder, the one of `--spill`.
  case spills(folder: String)
}

/// Writes the passes of one track. Used by the writing thread alone.
///
/// `problem` is called with the first error of a failure, and with `nil` when it is over.
protocol TrackRecorder: AnyObject {
  var track: ArmedTrack { get }
  var alignment: RecordAlignment { get }
  /// The id of the pass that is open; `nil` if none is.
  var openPass: Int64? { get }
  /// The key of the pass that is open; `nil` if none is.
  var openKey: CapturedTimeline.PassKey? { get }
  /// Frames from what is played to what comes in for it, fixed when the pass began.
  var openLag: Int? { get }
  /// Added to the host frames that are written, so that they go on rising when another server counts anew.
  var hostOffset: Int64 { get set }
  /// The frames of the pass that is open; 0 if none is.
  var openFrames: Int64 { get }
  /// The ledger's records that arose since they were taken, without those of a `segmentWriter`.
  var records: [LedgerRecord] { get set }
  /// The latencies that were recorded last; those of the pass that is open, if one is.
  var lastLatency: CaptureLatency? { get set }
  /// What was found in the passes that have ended, by their ids: `clipped`, `silent`.
  var found: [Int64: Set<String>] { get }
  /// The passes that were played to the end of the loop or of the punch range, by their ids.
  var wholePasses: Set<Int64> { get set }

  /// Begins a pass, whose lag is that of `latency` to its end. If the format lets none begin, no pass is open
  /// afterwards.
  func beginPass(
    _ key: CapturedTimeline.PassKey, at hostFrame: HostFrame, _ latency: CaptureLatency,
    _ problem: (AudioFileWriteError?) -> Void)
  /// The next frame belongs to this frame of the timeline.
  func locate(to frame: Int64)
  /// The next frame was played by the plan of this number.
  func follow(plan number: UInt64)
  /// From the next frame on, frames belong to no place of the timeline.
  func endPiece()
  /// Appends frames to the pass that is open.
  /// - Parameters:
  ///   - offset: of the first frame, from the start of `input`.
  ///   - count: frames.
  ///   - hostFrame: the host frame of the first frame.
  func append(
    _ input: CapturedInput, from offset: Int, _ count: Int, at hostFrame: HostFrame,
    _ problem: (AudioFileWriteError?) -> Void)
  /// Ends the pass that is open; does nothing without one.
  func endPass(_ problem: (AudioFileWriteError?) -> Void)

  /// Writes what was collected, so that it outlives this process.
  func flush(_ problem: (AudioFileWriteError?) -> Void)
  /// Writes what was collected, and the sizes in the headers.
  func refreshHeader(_ problem: (AudioFileWriteError?) -> Void)
  /// Whether the recording's folder has room. Without, frames are written to the other folder, or counted as a gap.
  /// - Returns: what becomes of the frames now; `nil` where that did not change.
  func setRoom(_ hasRoom: Bool) -> RoomChange?
  /// The ledger's records that arose since the last call.
  func takeRecords() -> [LedgerRecord]
  /// Files that are to be flushed to disk.
  func takeFilesToSync() -> [RecordedFile]
  /// Files that were completed since the last call, and are to be hashed.
  func takeSealed() -> [SealedSegment]
  /// For a thread that makes the next file beforehand.
  var segmentWriter: SegmentWriter? { get }
}

extension TrackRecorder {
  var isOpen: Bool { openKey != nil }

  /// Sound lies at its seconds, whatever the tempo.
  func follow(plan number: UInt64) {}

  /// Records the latencies of now, if they differ from the last ones of the pass that is open.
  private func noteLatency(_ latency: CaptureLatency) {
    guard let openPass, lastLatency != latency else { return }
    lastLatency = latency
    records.append(
      .latency(pass: openPass, capture: latency.capture, playback: latency.playback, atFrame: openFrames))
  }

  /// Takes frames that came in.
  /// - Parameter latency: of now; a pass that is open keeps the one it began with.
  func take(
    _ input: CapturedInput, hostFrame: HostFrame, frameCount: Int, timeline: CapturedTimeline,
    latency: CaptureLatency, problem: (AudioFileWriteError?) -> Void
  ) {
    noteLatency(latency)
    var done = 0
    while done < frameCount {
      let frame = hostFrame + done
      let played = frame - (openLag ?? latency.lag(alignment))
      let segment = timeline.segment(at: played)
      let count = segment.end < .max ? min(frameCount - done, segment.end - played) : frameCount - done
      switch segment.content {
      case .nothing:
        // Behind a loop's end nothing is recorded where the punch range begins later in the loop.
        let isBehindLoop = openKey.map { timeline.rolls(at: played, behind: $0) } ?? false
        if segment.beginsBehindPunch || isBehindLoop, let openPass { wholePasses.insert(openPass) }
        endPass(problem)
      case .between:
        if isOpen {
          endPiece()
          append(input, from: done, count, at: frame, problem)
        }
      case .recorded(let key, let place):
        if openKey != key {
          if let openKey, let openPass, key.follows(openKey) { wholePasses.insert(openPass) }
          endPass(problem)
          // The place was looked up with the lag of the pass before; the new pass has the lag of now.
          if latency.lag(alignment) != frame - played { continue }
          beginPass(key, at: frame, latency, problem)
        }
        if isOpen {
          follow(plan: segment.planNumber)
          locate(to: Int64(place.number) + Int64(track.recordOffset))
          append(input, from: done, count, at: frame, problem)
        }
      }
      done += count
    }
  }
}
