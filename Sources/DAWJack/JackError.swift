import DAWErrors

/// Why a JACK client could not be used. Nothing is left open.
public enum JackError: Error, Equatable, Sendable {
  /// libjack is not installed, or lacks a function.
  case libraryUnavailable(reason: String)
  /// No server of this name is running; `nil` is the default server.
  case noServer(name: String?)
  /// The server refused the client, for instance because of its version.
  case refused(reason: String)
  /// The server's sample rate is not the project's; hertz.
  case rate(server: Int, project: Int)
  /// A port could not be registered, most often because there are too many.
  case port(name: String)
  /// There is no audio port of this name that sound can be sent to; for `InputCapture`, and for the input of
  /// `LatencyTest`, none that sound comes from. The description is of the first.
  case connection(port: String)
  /// The server ended while the client was being made, or calls it no more.
  case lost
}

extension JackError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .libraryUnavailable(let reason): "JACK's library could not be opened: \(reason)."
    case .noServer(let name): name.map { "No JACK server named '\($0)' is running." } ?? "No JACK server is running."
    case .refused(let reason): "The JACK server refused the client: \(reason)."
    case .rate(let server, let project): "The JACK server runs at \(server) Hz, the project at \(project) Hz."
    case .port(let name): "The JACK server could not register the port '\(name)': it may have too many."
    case .connection(let port): "There is no JACK input port '\(port)' for audio."
    case .lost: "The JACK server went away."
    }
  }
}

extension JackError: DAWError {
  public var kind: ErrorKind { if case .connection = self { .noInput } else { .unavailable } }
  public var code: String {
    switch self {
    case .libraryUnavailable: "jackNotInstalled"
    case .noServer: "jackNotRunning"
    case .rate: "sampleRateMismatch"
    case .connection: "jackPortNotFound"
    case .refused, .port, .lost: "jackRefused"
    }
  }
}
