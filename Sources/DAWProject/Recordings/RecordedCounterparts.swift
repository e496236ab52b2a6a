import DAWMedia
import DAWModel

// The process that records, as the files of recordings and the rows about them have it. DAWMedia and DAWModel do not
// see each other, so each has a type of its own, and here one becomes the other.

extension OwnerProcess {
  package init(_ owner: RecordingOwner) {
    self.init(processID: Int(owner.processID), startTime: owner.startTime, bootID: owner.bootID)
  }

  /// This process.
  package static var current: OwnerProcess { OwnerProcess(RecordingOwner.current) }

  /// Whether the process runs.
  package var isAlive: Bool {
    RecordingOwner(processID: Int32(clamping: processID), startTime: startTime, bootID: bootID).isAlive
  }
}
