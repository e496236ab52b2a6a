import DAWInterchange
import DAWPlay
import Foundation

/// The keys of a terminal, as commands for a player. While it lasts the terminal gives each key at once and shows none.
final class TerminalKeys: PlayerInput {
  let descriptor = STDIN_FILENO
  private var usual = termios()
  /// The same, for a signal handler; `nil` where the terminal is as it was.
  nonisolated(unsafe) private static var usualSettings: UnsafeMutablePointer<termios>?
  private var pending: [UInt8] = []

  /// `nil` when standard input is not a terminal.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &usual) == 0 else {
      return nil
    }
    var raw = usual
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // Ask for what is there, and do not wait.
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    settings.initialize(to: usual)
    Self.usualSettings = settings
    Interruption.lastAct = {
      if let settings = TerminalKeys.usualSettings { tcsetattr(STDIN_FILENO, TCSANOW, settings) }
    }
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else {
      restore()
      return nil
    }
  }

  /// The terminal is as it was.
  func restore() {
    tcsetattr(STDIN_FILENO, TCSANOW, &usual)
    Interruption.lastAct = nil
    Self.usualSettings?.deallocate()
    Self.usualSettings = nil
  }

  func read() -> [PlayerCommand] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 { pending += bytes.prefix(count) }
    var commands: [PlayerCommand] = []
    while let (length, command) = Self.key(at: pending[...]) {
      pending.removeFirst(length)
      if let command { commands.append(command) }
    }
    return commands
  }

  /// The first key of some bytes.
  /// - Returns: its length, and what it means, if anything; `nil` where its end has not come yet.
  static func key(at bytes: ArraySlice<UInt8>) -> (length: Int, command: PlayerCommand?)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case UInt8(ascii: " "): return (1, .toggle)
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: return (1, .quit)
    case UInt8(ascii: "l"), UInt8(ascii: "L"): return (1, .toggleLoop)
    case 27: return arrow(at: bytes)
    default: return (1, nil)
    }
  }

  /// An escape sequence: `ESC [ D`, or `ESC O D` of some terminals.
  private static func arrow(at bytes: ArraySlice<UInt8>) -> (length: Int, command: PlayerCommand?)? {
    guard bytes.count > 1 else { return nil }
    let introduction = bytes[bytes.startIndex + 1]
    guard introduction == UInt8(ascii: "[") || introduction == UInt8(ascii: "O") else { return (1, nil) }
    guard let end = bytes.dropFirst(2).firstIndex(where: { 0x40...0x7e ~= $0 }) else { return nil }
    let length = end - bytes.startIndex + 1
    switch bytes[end] {
    case UInt8(ascii: "C"): return (length, .locateBars(1))
    case UInt8(ascii: "D"): return (length, .locateBars(-1))
    case UInt8(ascii: "A"): return (length, .locateBars(8))
    case UInt8(ascii: "B"): return (length, .locateBars(-8))
    case UInt8(ascii: "H"): return (length, .locate(flicks: 0))
    default: return (length, nil)
    }
  }
}
