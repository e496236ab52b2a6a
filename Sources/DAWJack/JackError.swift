import DAWErrors

/// Why there is no client of a JACK server. Nothing is left open.
public enum JackError: Error, Equatable, Sendable {
  /// The machine has no libjack, or one that lacks a function.
  case libraryUnavailable(reason: String)
  /// No server of that name answers; `nil` is the usual one.
  case noServer(name: String?)
  /// The server refused the client: its version or its limits do not fit.
  case refused(reason: String)
  /// In hertz.
  case rate(server: Int, project: Int)
  /// A port could not be made, most often because there are too many.
  case port(name: String)
  /// There is no port of that name to connect to, or it takes no audio.
  case connection(port: String)
  /// The server went away while the client was being made.
  case lost
}

extension JackError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .libraryUnavailable(let reason): "JACK's library could not be opened: \(reason)."
    case .noServer(let name): name.map { "No JACK server named '\($0)' is running." } ?? "No JACK server is running."
    case .refused(let reason): "The JACK server refused us: \(reason)."
    case .rate(let server, let project): "The JACK server runs at \(server) Hz, the project at \(project) Hz."
    case .port(let name): "The JACK server gave us no port '\(name)': it may have too many."
    case .connection(let port): "There is no JACK port '\(port)' that audio can be sent to."
    case .lost: "The JACK server went away."
    }
  }
}

extension JackError: DAWError {
  public var kind: ErrorKind { if case .connection = self { .noInput } else { .unavailable } }
  public var code: String {
    switch self {
    case .libraryUnavailable: "jackMissing"
    case .noServer: "noServer"
    case .rate: "sampleRate"
    case .connection: "portNotFound"
    case .refused, .port, .lost: "jackRefused"
    }
  }
}
