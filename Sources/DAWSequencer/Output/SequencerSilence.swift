import DAWEngine

/// Silences ports after their process has died. Called by the watchdog.
public enum SequencerSilence {
  /// Sends the note-offs of a table to their destinations.
  public static func send(_ table: SoundingTable) {
    guard let client = try? SequencerClient(name: "daw watchdog") else { return }
    send(table, client)
  }

  static func send(_ table: SoundingTable, _ client: SequencerClient) {
    guard let port = try? client.addOutput("silence") else { return }
    for number in 0..<SoundingTable.rowCount {
      let messages = table.row(number).pendingNoteOffs
      for destination in table.destinations(number) {
        client.sendAtOnce(messages, from: port, to: SequencerAddress(packed: destination))
      }
    }
  }
}

extension SequencerAddress {
  /// A destination in a `SoundingTable`: client × 256 + port.
  var packed: UInt16 { UInt16(truncatingIfNeeded: client & 0xff) << 8 | UInt16(truncatingIfNeeded: port & 0xff) }

  init(packed: UInt16) { self.init(client: Int32(packed >> 8), port: Int32(packed & 0xff)) }
}
