import Foundation

/// A file that is read whole, such as settings, which has at most a certain size: what another program has put in its
/// place may have gigabytes, or no end.
package enum SmallFile {
  /// Of settings, presets, engines and their keys, in bytes.
  package static let usualMaximumSize = 1 << 20

  /// Reads a file, or what a pipe gives until its end.
  /// - Parameter maximumSize: in bytes.
  /// - Returns: `nil` if it cannot be read, or is longer.
  package static func contents(ofFile path: String, upTo maximumSize: Int = usualMaximumSize) -> Data? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_size <= maximumSize else { return nil }
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while content.count <= maximumSize {
      let count = buffer.withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
      if count == 0 { return content }
      if count > 0 {
        content.append(contentsOf: buffer[..<count])
      } else if errno != EINTR {
        return nil
      }
    }
    return nil
  }
}
