import CJack
import DAWJack

/// A JACK client of the tests: what it does in each cycle of the server is `run`.
public class CycleClient: @unchecked Sendable {
  // Unchecked: what a subclass has belongs to the process callback once it is active, unless that says otherwise.
  let functions: cjack
  let client: OpaquePointer
  private var isOpen = true
  /// As the server has it.
  public let name: String

  /// - Throws: `JackServer.Missing`.
  init(server: String, name: String) throws {
    functions = try JackLibrary.shared().functions
    var status = jack_status_t(rawValue: 0)
    guard let client = cjack_client_open(name, server, &status) else {
      throw JackServer.Missing(description: "no client of '\(server)': status \(status.rawValue)")
    }
    self.client = client
    self.name = functions.jack_get_client_name(client).map { String(cString: $0) } ?? name
  }

  deinit { close() }

  /// - Throws: `JackServer.Missing`.
  func port(_ name: String, _ flags: JackPortFlags, type: String = JACK_DEFAULT_AUDIO_TYPE) throws -> OpaquePointer {
    guard let port = functions.jack_port_register(client, name, type, UInt(flags.rawValue), 0) else {
      throw JackServer.Missing(description: "no port '\(name)'")
    }
    return port
  }

  /// `run` is called from now on.
  func activate() throws {
    _ = functions.jack_set_process_callback(
      client,
      { frameCount, argument in
        guard let argument else { return 0 }
        Unmanaged<CycleClient>.fromOpaque(argument)._withUnsafeGuaranteedRef { $0.run(Int(frameCount)) }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    guard functions.jack_activate(client) == 0 else { throw JackServer.Missing(description: "cannot activate") }
  }

  /// In the process callback: a cycle of so many frames.
  func run(_ count: Int) {}

  /// To be called by a subclass before it frees what `run` uses.
  func close() {
    if isOpen { _ = functions.jack_client_close(client) }
    isOpen = false
  }
}
