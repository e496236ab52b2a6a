import DAWErrors
import DAWJack
import DAWProject
import DAWTime

extension Failure {
  /// What a client that could not be made comes to, with what to do about it.
  /// - Parameters:
  ///   - server: the name that was asked for.
  ///   - folder: of the project, as it can be typed.
  init(_ error: JackError, server: String?, folder: String) {
    self.init(error)
    let named = server.map { "-n \($0) " } ?? ""
    switch error {
    case .libraryUnavailable:
      hint = "Install it: apt install jackd2, or pipewire-jack and then 'pw-jack daw play'."
    case .noServer(let name):
      hint =
        "Start one: 'jackd \(named)-d alsa -r 48000 -p 256'; without a sound card 'jackd \(named)-r -d dummy'. On PipeWire: "
        + "'pw-jack daw play'\(name == nil ? "" : ", without --server")."
    case .rate(let served, let project):
      message += " Nothing is played."
      hint =
        "Either 'jackd \(named)-d alsa -r \(project)' (PipeWire: 'pw-metadata -n settings 0 clock.force-rate \(project)'), "
        + "or 'daw -p \(shellQuoted(folder)) set-project --rate \(served)'."
    case .connection: hint = "'jack_lsp' lists the ports; '--no-connect' plays without a connection."
    case .refused, .port, .lost: break
    }
  }

  /// This failure for a player that goes on waiting for the server, with a hint that says what ends the wait.
  /// - Parameters:
  ///   - server: the name that was asked for.
  ///   - rate: the project's.
  func whileWaiting(server: String?, rate: SampleRate) -> Failure {
    let named = server.map { "-n \($0) " } ?? ""
    let end =
      switch code {
      case "sampleRateMismatch":
        "It goes on when a server at \(rate.hertz) Hz runs: 'jackd \(named)-d alsa -r \(rate.hertz)' (PipeWire: "
          + "'pw-metadata -n settings 0 clock.force-rate \(rate.hertz)')."
      case "jackPortNotFound": "It goes on when the port is there; 'jack_lsp' lists those that are."
      default: "It goes on when a server takes it."
      }
    return Failure(
      kind, code: code, "\(message) The player waits, and tries again each second.",
      hint: "\(end) 'daw transport quit' ends it.")
  }
}
