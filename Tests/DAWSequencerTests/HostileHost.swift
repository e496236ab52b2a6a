import DAWEngine
import DAWTestSupport
import DAWTime
import Synchronization

/// Three clocks under a test's control: the host's time, the host's frames, and the queue's time.
final class HostileHost: HostClock {
  private let state = Mutex(State())

  struct State {
    var now: UInt64 = 1_000_000_000
    /// The time of frame 0; `nil`: the host does not know its frames' times.
    var begin: Double? = 990_000_000
    var sampleRate = 48_000.0
    var latency = 1_024
    /// The queue's time is the host's times a speed, plus this many nanoseconds.
    var queueOffset = 0.0
    var queueSpeed = 1_000.03
    /// The block of the record, if it is not the newest.
    var record: TransportRecord?
  }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
  var sampleRate: Double { state.withLock { $0.sampleRate } }
  var microseconds: UInt64 { state.withLock { $0.now } }
  var playbackLatencyFrames: Int { state.withLock { $0.latency } }
  var queueTime: Int64 { state.withLock { Self.queueTime($0, Double($0.now)) } }

  private static func queueTime(_ state: State, _ time: Double) -> Int64 {
    Int64(min(max((time - 1e9) * state.queueSpeed + state.queueOffset, -9e18), 9e18))
  }

  func microseconds(ofHostFrame frame: HostFrame) -> UInt64 {
    state.withLock { state in
      guard let begin = state.begin else { return 0 }
      return UInt64(min(max(begin + Double(frame.number) * 1e6 / 48_000, 0), 1.8e19))
    }
  }

  func record() -> TransportRecord {
    state.withLock { state in
      if let record = state.record { return record }
      var record = TransportRecord()
      let frame = (Double(state.now) - (state.begin ?? 0)) * 48_000 / 1e6
      record.hostFrame = HostFrame(Int(min(max(frame, 0), 9e18)) / 256 * 256)
      record.frameCount = 256
      return record
    }
  }

  /// The stamp that messages of a host frame should have.
  func trueStamp(of frame: HostFrame) -> Double {
    state.withLock { state in
      let time = (state.begin ?? 0) + Double(frame.number + state.latency) * 1e6 / 48_000
      return Double(Self.queueTime(state, time))
    }
  }
}
