import CALSA
import DAWEngine
import Glibc

extension SequencerClient {
  /// Sends messages past every queue, to one port, connected or not. Waits where its pool is full, a second at most in
  /// all; what a port does not take is passed over.
  func sendAtOnce(_ messages: [MIDIEvent], from port: Int32, to address: SequencerAddress) {
    var patience = 1_000
    for message in messages {
      guard var event = snd_seq_event_t(message, from: port, to: address) else { continue }
      while patience > 0, (try? send(&event)) == false {
        usleep(1_000)
        patience -= 1
      }
    }
  }
}
