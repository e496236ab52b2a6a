import CALSA
import DAWEngine

/// One track's port on the sequencer.
final class OutputPort {
  let slot: Int64
  /// The sequencer's number.
  let number: Int32
  /// In the table of what sounds.
  let row: Int
  var name: String
  /// The byte strings that messages name by number.
  var systemExclusive: [[UInt8]]
  /// As the project has it.
  var destination: String?
  /// Whether we have connected it to where the project says; somebody else may undo that.
  var connected: SequencerAddress?
  var subscribers: [SequencerAddress] = []
  var ahead: PortAhead

  init(_ port: PlannedPort, number: Int32, row: Int) {
    slot = port.slot
    name = port.name
    destination = port.destination
    systemExclusive = port.systemExclusive
    self.number = number
    self.row = row
    ahead = PortAhead(slot: port.slot)
  }
}
