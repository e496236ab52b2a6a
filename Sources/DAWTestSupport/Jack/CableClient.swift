import CJack
import DAWJack
import Foundation

/// A JACK client that is a cable: what comes in goes out again, later and with another level.
public final class CableClient: @unchecked Sendable {
  // Unchecked: the process callback alone uses the delay line after the client was made.
  private let functions: cjack
  private let client: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer
  private let line: UnsafeMutablePointer<Float>
  private let delay: Int
  private let gain: Float
  private var place = 0
  public let name: String

  /// - Parameters:
  ///   - delay: frames, ≥ 1.
  ///   - gain: linear; negative inverts.
  public init(server: String, name: String = "cable", delay: Int, gain: Float) throws {
    functions = try JackLibrary.shared().functions
    var status = jack_status_t(rawValue: 0)
    guard let client = cjack_client_open(name, server, &status),
      let input = functions.jack_port_register(
        client, "in", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0),
      let output = functions.jack_port_register(
        client, "out", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
    else { throw JackServer.Missing(description: "no client of '\(server)': status \(status.rawValue)") }
    (self.client, self.input, self.output, self.delay, self.gain) = (client, input, output, delay, gain)
    self.name = functions.jack_get_client_name(client).map { String(cString: $0) } ?? name
    line = .allocate(capacity: delay)
    line.initialize(repeating: 0, count: delay)
    _ = functions.jack_set_process_callback(
      client,
      { frameCount, argument in
        guard let argument else { return 0 }
        Unmanaged<CableClient>.fromOpaque(argument)._withUnsafeGuaranteedRef { $0.pass(frameCount) }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard functions.jack_activate(client) == 0 else { throw JackServer.Missing(description: "cannot activate") }
  }

  deinit {
    _ = functions.jack_client_close(client)
    line.deallocate()
  }

  private func pass(_ count: UInt32) {
    guard let source = cjack_port_buffer(input, count), let target = cjack_port_buffer(output, count) else { return }
    let (heard, sent) = (source.assumingMemoryBound(to: Float.self), target.assumingMemoryBound(to: Float.self))
    for index in 0..<Int(count) {
      sent[index] = line[place]
      line[place] = gain * heard[index]
      place = (place + 1) % delay
    }
  }
}
