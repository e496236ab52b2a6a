import Foundation
import Synchronization

/// Whether output is in colour: `--color`.
enum ColorChoice: Int, CaseIterable, AtomicRepresentable {
  case auto, always, never

  init?(typed text: String) {
    guard let choice = Self.allCases.first(where: { "\($0)" == text.lowercased() }) else { return nil }
    self = choice
  }
}

/// What the terminal that output goes to can show.
enum Terminal {
  private static let chosenColor = Atomic(ColorChoice.auto)

  static var color: ColorChoice {
    get { chosenColor.load(ordering: .relaxed) }
    set { chosenColor.store(newValue, ordering: .relaxed) }
  }

  /// The width in columns that text has to fit: that of `COLUMNS`, else of the terminal; `nil` where output goes
  /// elsewhere, so that nothing is lost on the way to another program.
  static func columns(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
    if let columns = variable("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    guard isatty(descriptor) == 1 else { return nil }
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// The width of the terminal as it is now, which may have been resized since the program began.
  static var currentColumns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return columns() ?? 80 }
    return Int(size.ws_col)
  }

  /// Whether the terminal is ours, rather than that of the shell that we are a job of.
  static var isInForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group == -1 || group == getpgrp()
  }

  /// Whether cursor movements and colours are understood.
  static var understandsEscapes: Bool { variable("TERM").map { $0 != "dumb" } ?? false }

  /// Whether the locale's characters are UTF-8 and the terminal is one that draws them.
  /// - SeeAlso: POSIX.1-2017, 8.2, precedence of `LC_ALL`, `LC_CTYPE`, `LANG`
  static var drawsUnicode: Bool {
    if variable("TERM") == "dumb" { return false }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first ?? "C"
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// - SeeAlso: no-color.org
  static func isColored(_ descriptor: Int32 = STDOUT_FILENO) -> Bool {
    switch color {
    case .always: true
    case .never: false
    case .auto: isatty(descriptor) == 1 && understandsEscapes && variable("NO_COLOR") == nil
    }
  }

  /// A variable of the environment that is set and not empty.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Characters that are drawn with, and what stands for them where UTF-8 is not shown.
enum Glyph {
  static var ellipsis: String { Terminal.drawsUnicode ? "…" : ".." }
  static var times: String { Terminal.drawsUnicode ? "×" : "x" }
  static var full: String { Terminal.drawsUnicode ? "█" : "#" }
  static var empty: String { Terminal.drawsUnicode ? "░" : "-" }
}
