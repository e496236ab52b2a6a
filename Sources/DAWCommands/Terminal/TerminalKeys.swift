import DAWInterchange
import DAWPlay
import Foundation

/// The keys of a terminal, as commands for a player. While it lasts the terminal gives each key at once and shows none.
final class TerminalKeys: PlayerInput {
  enum Key: Equatable {
    case command(PlayerCommand)
    /// What the keys do.
    case help
  }

  /// A line for each key, or pair of keys.
  static let descriptions = [
    "Space stops and starts; left and right go a bar back and forth, down and up eight.",
    "Home goes to the start, End to the end of the last region. L ends the loop, or begins it again.",
    "Ctrl-Z leaves the player for the shell, until 'fg'. Q ends it; ? lists the keys.",
  ]

  private let showHelp: () -> Void
  private var usual = termios()
  /// A copy of `usual` for the signal handler; `nil` where the terminal is as it was.
  nonisolated(unsafe) private static var usualSettings: UnsafeMutablePointer<termios>?
  private var pending: [UInt8] = []
  private var isRaw = false

  /// `nil` when standard input is not a terminal.
  /// - Parameter showHelp: called by `read` for the key `?`.
  init?(showHelp: @escaping () -> Void) {
    self.showHelp = showHelp
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &usual) == 0 else {
      return nil
    }
    let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    settings.initialize(to: usual)
    Self.usualSettings = settings
    Interruption.lastAct = {
      if let settings = TerminalKeys.usualSettings { tcsetattr(STDIN_FILENO, TCSANOW, settings) }
    }
    guard makeRaw() else {
      restore()
      return nil
    }
  }

  // A job in the background would be stopped by the terminal for reading from it.
  var descriptor: Int32 { Terminal.isInForeground ? STDIN_FILENO : -1 }

  private func makeRaw() -> Bool {
    var raw = usual
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ask for what is there, and do not wait.
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    isRaw = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
    return isRaw
  }

  /// The terminal is as it was, until keys are read again.
  func pause() {
    if Terminal.isInForeground { tcsetattr(STDIN_FILENO, TCSANOW, &usual) }
    isRaw = false
  }

  /// The terminal is as it was.
  func restore() {
    pause()
    Interruption.lastAct = nil
    Self.usualSettings?.deallocate()
    Self.usualSettings = nil
  }

  func read() -> [PlayerCommand] {
    guard Terminal.isInForeground, isRaw || makeRaw() else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 { pending += bytes.prefix(count) }
    var commands: [PlayerCommand] = []
    while let (length, key) = Self.key(at: pending[...]) {
      pending.removeFirst(length)
      switch key {
      case .command(let command): commands.append(command)
      case .help: showHelp()
      case nil: break
      }
    }
    return commands
  }

  /// The first key of some bytes.
  /// - Returns: its length, and what it means, if anything; `nil` where its end has not come yet.
  static func key(at bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case UInt8(ascii: " "): return (1, .command(.toggle))
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: return (1, .command(.quit))
    case UInt8(ascii: "l"), UInt8(ascii: "L"): return (1, .command(.toggleLoop))
    case UInt8(ascii: "?"): return (1, .help)
    case 27: return sequence(at: bytes)
    default: return (1, nil)
    }
  }

  /// An escape sequence: `ESC [ D`, or `ESC O D` of some terminals; Home and End are also `ESC [ 1 ~` and `ESC [ 4 ~`.
  /// - SeeAlso: ctlseqs of xterm, "PC-Style Function Keys"
  private static func sequence(at bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard bytes.count > 1 else { return nil }
    let introduction = bytes[bytes.startIndex + 1]
    guard introduction == UInt8(ascii: "[") || introduction == UInt8(ascii: "O") else { return (1, nil) }
    guard let end = bytes.dropFirst(2).firstIndex(where: { 0x40...0x7e ~= $0 }) else { return nil }
    let parameter = String(decoding: bytes[(bytes.startIndex + 2)..<end], as: UTF8.self)
    return (end - bytes.startIndex + 1, command(final: bytes[end], parameter).map { .command($0) })
  }

  private static func command(final byte: UInt8, _ parameter: String) -> PlayerCommand? {
    switch (byte, parameter) {
    case (UInt8(ascii: "C"), _): .locateBars(1)
    case (UInt8(ascii: "D"), _): .locateBars(-1)
    case (UInt8(ascii: "A"), _): .locateBars(8)
    case (UInt8(ascii: "B"), _): .locateBars(-8)
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .locate(flicks: 0)
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .locateEnd
    default: nil
    }
  }
}
