import CALSA
import DAWEngine
import Glibc

extension SequencerClient {
  /// Sends messages to one port, connected or not, bypassing the queue. Waits while the pool is full, at most one
  /// second in all; messages that the port refuses are skipped. Sends in batches, because a client that reads too
  /// slowly loses its whole input, 200 messages by default.
  func sendAtOnce(_ messages: [MIDIEvent], from port: Int32, to address: SequencerAddress) {
    var patience = 1_000
    for (number, message) in messages.enumerated() {
      if number > 0, number.isMultiple(of: 32) { usleep(10_000) }
      guard var event = snd_seq_event_t(message, from: port, to: address) else { continue }
      while patience > 0, (try? send(&event)) == false {
        usleep(1_000)
        patience -= 1
      }
    }
  }
}
