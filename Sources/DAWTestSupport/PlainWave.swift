import Foundation

/// Reads and writes plain WAV, without the project's own code.
public enum PlainWave {
  public enum Problem: Error { case notPlain(String) }

  /// - Returns: channels × frames, full scale ±1.
  public static func read(_ url: URL) throws -> [[Double]] {
    let bytes = [UInt8](try Data(contentsOf: url))
    func number(_ offset: Int, _ count: Int) -> Int {
      var value = 0
      for place in 0..<count { value |= Int(bytes[offset + place]) << (8 * place) }
      return value
    }
    guard bytes.count > 12, String(decoding: bytes[8..<12], as: UTF8.self) == "WAVE" else {
      throw Problem.notPlain("no WAVE")
    }
    var offset = 12
    var format = (tag: 0, channels: 0, bits: 0)
    while offset + 8 <= bytes.count {
      let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      let size = number(offset + 4, 4)
      let body = offset + 8
      if name == "fmt " {
        format = (number(body, 2), number(body + 2, 2), number(body + 14, 2))
        if format.tag == 0xfffe { format.tag = number(body + 24, 2) }
      } else if name == "data" {
        let width = format.bits / 8
        let frames = min(size, bytes.count - body) / (width * format.channels)
        return (0..<format.channels).map { channel in
          (0..<frames).map { frame in
            let place = body + (frame * format.channels + channel) * width
            switch (format.tag, format.bits) {
            case (3, 32): return Double(Float(bitPattern: UInt32(number(place, 4))))
            case (3, 64): return Double(bitPattern: UInt64(bitPattern: Int64(number(place, 8))))
            default:
              let raw = number(place, width)
              let signed = raw >= 1 << (format.bits - 1) ? raw - 1 << format.bits : raw
              return Double(signed) / Double(1 << (format.bits - 1))
            }
          }
        }
      }
      offset = body + size + size % 2
    }
    throw Problem.notPlain("no data")
  }

  /// - Parameter channels: channels × frames of whole numbers in the range of `bits`.
  public static func write(_ channels: [[Int]], bits: Int, rate: Int, to url: URL) throws {
    let width = bits / 8
    let frames = channels[0].count
    let size = frames * channels.count * width
    var bytes: [UInt8] = []
    bytes.reserveCapacity(45 + size)
    func add(_ text: String) { bytes += Array(text.utf8) }
    func add(_ value: Int, _ count: Int) {
      for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }
    add("RIFF")
    add(36 + size + size % 2, 4)
    add("WAVEfmt ")
    add(16, 4)
    add(1, 2)
    add(channels.count, 2)
    add(rate, 4)
    add(rate * channels.count * width, 4)
    add(channels.count * width, 2)
    add(bits, 2)
    add("data")
    add(size, 4)
    for frame in 0..<frames { for channel in channels { add(channel[frame], width) } }
    if size % 2 == 1 { bytes.append(0) }
    try Data(bytes).write(to: url)
  }
}
