import CALSA
import DAWEngine
import Glibc

extension SequencerClient {
  /// Sends messages past every queue, to one port, connected or not. Waits where its pool is full, a second at most in
  /// all; what a port does not take is passed over. Many go little by little: a client that does not read fast enough loses
  /// all that waits for it, 200 messages by default.
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
