import DAWEngine
import Foundation

// The end of a recording.
extension RecordingWriter {
  /// On the writing thread: ends the recording under way, if there is one. Its files are hashed first. Where that takes
  /// so long that the ring fills, it goes on on a thread of its own, and the next recording may begin meanwhile.
  /// - Parameter waits: whether it has ended when this returns.
  func end(waits: Bool = false) {
    guard let ended = current else { return }
    endWait()
    handOver()
    let endTime = Self.now
    while !flusher.waitUntilDone(atMost: 0.05) {
      if !waits, setup.ring.untakenCount > mostUntaken { return endElsewhere(ended, endTime: endTime) }
    }
    current = nil
    finish(ended, flusher, endTime: endTime)
    flusher.forgetRecording()
  }

  /// Any thread: whether files of an earlier recording are still hashed. `stop` waits for that.
  var isHashing: Bool { endingCount.read { $0 > 0 } }

  /// The most frames that may wait in the ring while a recording is ended.
  private var mostUntaken: Int { (setup.ring.capacity - remembered.frameCount) / 3 }

  private func endElsewhere(_ ended: OpenRecording, endTime: Int64) {
    let former = flusher
    flusher = RecordingFlusher(beforeHashing: setup.beforeHashing)
    flusher.start { [self] in post(.notOnDisk($0)) }
    current = nil
    endingCount.update { $0 += 1 }
    // Used by that thread alone from here on.
    nonisolated(unsafe) let moved = ended
    Thread { [self] in
      former.waitUntilDone()
      finish(moved, former, endTime: endTime)
      former.stop()
      endingCount.update { $0 -= 1 }
    }.start()
  }

  /// Once the flusher is done, and so all is hashed that can be.
  private func finish(_ ended: OpenRecording, _ flusher: RecordingFlusher, endTime: Int64) {
    ended.add(flusher.takeHashed())
    var records = ended.collectRecords()
    ended.completeGivenUp()
    records += ended.collectRecords()
    if !records.isEmpty { post(.wrote(records)) }
    let finished = ended.end(endTime: endTime)
    flusher.take(ended.takeFilesToSync(), toHash: [], of: ended.folder, writers: [])
    // The flusher may do the same; twice does no harm.
    ended.syncFolders()
    post(.ended(finished))
  }

  /// Control thread: waits until what has come in by now is taken. A recording that it begins is then among the events.
  /// - Parameter seconds: to wait at most.
  func takeArrived(atMost seconds: Double) {
    // Nothing is taken any more.
    guard isWriting.read({ $0 }) else { return }
    let isDone = Monitor(false)
    send(.takeArrived(isDone: isDone))
    _ = isDone.wait(atMost: seconds) { $0 ? true : nil }
  }

  /// On the writing thread.
  func takeArrivedNow(_ isDone: DAWEngine.Monitor<Bool>) {
    drain()
    isDone.update { $0 = true }
  }

  // MARK: Memory

  /// Control thread, when no other recording is to begin: gives the ring's memory back to the system, unless another
  /// one has begun while the last was completed, whose frames are in it. Waits for that, a second at most.
  func dropMemory() {
    // Nothing is taken any more.
    guard isWriting.read({ $0 }) else { return setup.ring.dropMemory() }
    let isDone = Monitor(false)
    send(.dropMemory(isDone: isDone))
    _ = isDone.wait(atMost: 1) { $0 ? true : nil }
  }

  /// On the writing thread, since what is in the ring may be of a recording that has not begun yet.
  func dropMemoryNow(_ isDone: DAWEngine.Monitor<Bool>) {
    drain()
    // Of a recording under way, the last block is not certain yet.
    if current == nil { drain(isLast: true) }
    if current == nil { setup.ring.dropMemory() }
    isDone.update { $0 = true }
  }
}
