import DAWEngine
import DAWTime
import Glibc
import Synchronization

/// A host without sound: its frames follow the system's clock, in blocks of 256, and a test controls its transport.
final class FakeHost: HostClock {
  let sampleRate = 48_000.0
  let playbackLatencyFrames: Int
  private let transport: Mutex<Timed>

  private struct Timed {
    var record = TransportRecord()
    /// The time of frame 0, microseconds; may be negative.
    var begin: Int64
  }

  init(playbackLatencyFrames: Int = 1_024) {
    self.playbackLatencyFrames = playbackLatencyFrames
    transport = Mutex(Timed(begin: Int64(Self.clock())))
    transport.withLock { $0.record.planNumber = 1 }
  }

  private static func clock() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
  }

  var microseconds: UInt64 { Self.clock() }

  func microseconds(ofHostFrame frame: HostFrame) -> UInt64 {
    transport.withLock { UInt64(max(1, $0.begin + Int64((Double(frame.number) * 1e6 / sampleRate).rounded()))) }
  }

  func record() -> TransportRecord { change { _ in } }

  /// Advances the transport to now, block by block, then changes it.
  @discardableResult func change(_ body: (inout TransportRecord) -> Void) -> TransportRecord {
    transport.withLock { timed in
      var record = timed.record
      defer { timed.record = record }
      let now = HostFrame(Int(Double(Int64(Self.clock()) - timed.begin) * sampleRate / 1e6))
      while record.hostFrame + 512 <= now {
        record.hostFrame += record.frameCount
        record.frameCount = 256
        record.frame = record.nextFrame
        guard record.state == .rolling else { continue }
        record.rolledFrame += 256
        record.nextFrame += 256
        guard let loop = record.loop, record.frame < loop.upperBound, record.nextFrame >= loop.upperBound else {
          continue
        }
        record.nextFrame = loop.lowerBound + (record.nextFrame - loop.upperBound) % loop.count
        record.wrapCount += 1
      }
      body(&record)
      return record
    }
  }

  /// Shifts all frames to an earlier time.
  func skip(microseconds: Int64) { transport.withLock { $0.begin -= microseconds } }

  /// An xrun: nothing is played for a while, and everything later is delayed by as much.
  func passOver(frames: Int) {
    transport.withLock { $0.record.hostFrame += frames }
  }

  /// A restarted server: it counts frames from 0 and is stopped.
  func beginAnew() {
    transport.withLock { timed in
      timed.begin = Int64(Self.clock())
      timed.record.hostFrame = 0
      timed.record.frameCount = 0
      timed.record.state = .stopped
      Self.locate(&timed.record, 0)
    }
  }

  func roll(from frame: TimelineFrame? = nil) {
    change { record in
      if let frame { Self.locate(&record, frame) }
      record.state = .rolling
    }
  }

  func stop() {
    change { record in
      record.state = .stopped
      Self.locate(&record, record.nextFrame)
    }
  }

  private static func locate(_ record: inout TransportRecord, _ frame: TimelineFrame) {
    record.nextFrame = frame
    record.locateNumber += 1
    record.rolledFrame = 0
    record.wrapCount = 0
  }

  func loop(_ loop: Range<TimelineFrame>?) {
    change {
      $0.loopFirst = loop?.lowerBound ?? 0
      $0.loopEnd = loop?.upperBound ?? 0
    }
  }
}
