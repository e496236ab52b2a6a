import Foundation

/// A bar on standard error that is redrawn in place; nothing where that is no terminal.
final class ProgressBar {
  private let label: String
  private let isShown: Bool
  private var lastPercent = -1
  private let width = 30

  init(label: String, isShown: Bool) {
    self.label = label
    self.isShown = isShown && isatty(STDERR_FILENO) == 1
  }

  func show(_ done: Int64, of total: Int64) {
    guard isShown, total > 0 else { return }
    let percent = Int(min(100, done * 100 / total))
    guard percent != lastPercent else { return }
    lastPercent = percent
    let full = percent * width / 100
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    Console.writeError("\r\(label) \(bar) \(percent) %")
  }

  /// Takes the bar off the screen.
  func clear() {
    guard isShown, lastPercent >= 0 else { return }
    Console.writeError("\r\u{1B}[K")
  }
}
