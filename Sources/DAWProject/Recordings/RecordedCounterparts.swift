import DAWMedia
import DAWModel

// What the files of recordings and the rows about them have alike. DAWMedia and DAWModel do not see each other, so each
// has a type of its own, and here one becomes the other.

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

extension RecordedGap.Cause {
  /// Rows also have gaps in which MIDI events were lost; those are no gaps of a file.
  init(_ cause: GapCause) {
    self =
      switch cause {
      case .xrun: .xrun
      case .overrun: .overrun
      case .diskFull: .diskFull
      case .ioError: .ioError
      case .serverLost: .serverLost
      }
  }
}
