import DAWEngine
import DAWErrors
import DAWMedia
import DAWTime

extension RecordingWriter {
  typealias Latencies = (playback: Int, capture: [Int])

  struct Setup: Sendable {
    var ring: CaptureRing
    /// Those with sound first, in the order of the ring's channels; then those with MIDI, in that of `messages`.
    var tracks: [ArmedTrack]
    /// The inputs of one follow those of the one before.
    var messages: [MIDICapture] = []
    /// All messages of earlier host frames are in `messages`; `nil` where those of a block are there before it is.
    /// Called on the writing thread.
    var messagesEnd: (@Sendable () -> HostFrame)?
    /// Called before a piece of a file is hashed; a test lets it wait.
    var beforeHashing: @Sendable () -> Void = {}
    var request: RecordRequest
    var punch: Range<TimelineFrame>?
    /// `Audio/Recordings`.
    var recordings: Place
    /// Names that folders of recordings have had.
    var folderNames = UsedFolderNames()
    /// The project's UUID.
    var project: String
    /// Hertz.
    var sampleRate: Int
    /// Frames of playback latency, and of capture latency of each input; `nil` while they are not known, and what comes
    /// in waits. Called on the writing thread.
    var latencies: @Sendable () -> Latencies?

    /// The inputs of each track.
    var inputRanges: [Range<Int>] {
      var next = 0
      return tracks.map { track in
        defer { next += track.sources.count }
        return next..<next + track.sources.count
      }
    }
  }

  enum Event: Sendable {
    case began(RecordingHeader, folder: String)
    /// So many frames of the passes under way, by their ids, have come in and were written.
    /// - Parameter segments: the files under way, by their passes' ids, with what is in them.
    case passed([Int64: Int64], segments: [Int64: RecordedSegmentFile])
    /// The ledger's newest records.
    case wrote([LedgerRecord])
    /// Frames of the passes under way are missing.
    case gap(GapCause, frames: Int)
    /// MIDI messages were lost: at least so many.
    /// - Parameter isNoted: whether the ledger says so; else their track was not being recorded.
    case lostEvents(Int, isNoted: Bool)
    /// The disk failed; the error is `nil` when it works again.
    case disk(AudioFileWriteError?, track: String)
    /// There is no room in the recording's folder; what comes in is written into another one.
    /// - Parameter folder: its path.
    case spills(track: String, folder: String)
    /// Files could not be flushed to disk. Reported once, and again only after a flush has worked.
    case notOnDisk(SystemCallFailure)
    case roomRunsOut(seconds: Int)
    case failedToBegin(AudioFileWriteError)
    /// Nothing had come in that could be kept.
    case nothingToKeep
    /// Why nothing is kept of what had come in.
    case notKept(Failure)
    case ended(FinishedRecording)
    /// A cancel was performed, and what it has ended is said to have ended.
    /// - Parameter hadRecording: whether there was a recording; it may have ended before.
    case cancelled(hadRecording: Bool)
  }
}

/// A recording whose files are complete.
struct FinishedRecording: @unchecked Sendable {
  // Unchecked: the writing thread is done with the ledger.
  var description: RecordingDescription
  var folder: RecordingFolder
  /// Lacks the record `end`, which is written once the project has the recording: from then on `daw clean` may remove
  /// its files.
  var ledger: Ledger
  /// Records that the disk has not taken.
  var unwritten: [LedgerRecord]
  /// What was found in the passes, by their ids: `clipped`, `silent`.
  var found: [Int64: Set<String>] = [:]
  /// The plans by which the passes of MIDI were played, by their ids.
  var plans: [Int64: [PlayedPlan]] = [:]
  /// The passes that were played to the end of the loop or of the punch range, by their ids.
  var whole: Set<Int64> = []
}
