import Foundation

/// A bar on standard error, with the time that is left, redrawn in place; nothing where that is no terminal.
final class ProgressBar {
  private let label: String
  private let isShown: Bool
  /// What is on the screen, and since when.
  private var drawn: (percent: Int, at: ContinuousClock.Instant)?
  private var total: Int64 = 0
  /// When the work of this length began: what comes before a bounce, such as a conversion, is of another.
  private var start = ContinuousClock.now
  private static let width = 30

  init(label: String, isShown: Bool) {
    self.label = label
    self.isShown = isShown && isatty(STDERR_FILENO) == 1 && Terminal.understandsEscapes
  }

  func show(_ done: Int64, of total: Int64) {
    guard isShown, total > 0 else { return }
    if total != self.total { (self.total, start) = (total, ContinuousClock.now) }
    let percent = Int(max(0, min(100, done * 100 / total)))
    // A time that flickers cannot be read.
    let now = ContinuousClock.now
    if let drawn, drawn.percent == percent, now - drawn.at < .seconds(1) { return }
    drawn = (percent, now)
    let (title, numbers) = (TerminalText.line(label), " \(percent) %\(timeLeft(done))")
    // One line: what wraps is not drawn over. The last column stays free, behind which some terminals wrap.
    let columns = Terminal.columns(of: STDERR_FILENO).map { $0 - 1 } ?? .max
    let width = min(Self.width, columns - title.displayWidth - 1 - numbers.displayWidth)
    let full = percent * max(0, width) / 100
    let bar = String(repeating: Glyph.full, count: full) + String(repeating: Glyph.empty, count: max(0, width - full))
    Console.writeErrorExactly("\r\((title + (bar.isEmpty ? "" : " " + bar) + numbers).shortened(to: columns))\u{1B}[K")
  }

  /// Takes the bar off the screen.
  func clear() {
    guard isShown, drawn != nil else { return }
    Console.writeErrorExactly("\r\u{1B}[K")
  }

  /// ", 1:05 left", once there is something to judge by.
  private func timeLeft(_ done: Int64) -> String {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    let elapsed = Double(seconds) + Double(attoseconds) * 1e-18
    guard elapsed > 0.3, done > 0, done < total else { return "" }
    let left = Int((elapsed * Double(total - done) / Double(done)).rounded(.up))
    let (minutes, rest) = (left / 60, left % 60)
    let time = minutes < 60 ? "\(minutes)" : "\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)"
    return ", \(time):" + (rest < 10 ? "0" : "") + "\(rest) left"
  }
}
