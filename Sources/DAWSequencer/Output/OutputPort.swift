import CALSA
import DAWEngine

/// A track's port on the sequencer.
final class OutputPort {
  let trackID: Int64
  /// The port's number in the sequencer.
  let number: Int32
  /// Its row in the `SoundingTable`.
  let row: Int
  var name: String
  /// System exclusive messages, by `MIDIEvent.bytesIndex`.
  var systemExclusive: [[UInt8]]
  /// The destination that the project asks for.
  var destination: String?
  /// The destination that we have connected it to; other programs may disconnect it.
  var connected: SequencerAddress?
  var subscribers: [SequencerAddress] = []
  var scheduler: PortScheduler

  init(_ port: PlannedPort, number: Int32, row: Int) {
    trackID = port.trackID
    name = port.name
    destination = port.destination
    systemExclusive = port.systemExclusive
    self.number = number
    self.row = row
    scheduler = PortScheduler(trackID: port.trackID)
  }
}
