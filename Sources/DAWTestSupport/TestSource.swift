import DAWEngine
import DAWMedia
import Foundation

/// A source with its bytes on disk and its samples in memory, as doubles.
public struct TestSource {
  public var source: AudioSource
  /// Interleaved, each rounded to the nearest float.
  public var samples: [Double]

  /// Random samples of `format`, after a header of odd length.
  public init(
    _ format: SampleEncoding, channelCount: Int, frameCount: Int, in folder: URL, using random: inout SeededGenerator
  ) throws {
    var bytes = Data(repeating: 0x7f, count: 45)
    samples = []
    for _ in 0..<(frameCount * channelCount) {
      let (encoded, value) = Self.sample(format, using: &random)
      bytes.append(contentsOf: encoded)
      samples.append(value)
    }
    let path = folder.appending(path: "\(random.next()).raw").path
    try bytes.write(to: URL(filePath: path))
    source = AudioSource(
      path: path, sha256: "", frameCount: Int64(frameCount), channelCount: channelCount,
      content: .plain(PCMLayout(dataOffset: 45, encoding: format, channelCount: channelCount)))
  }

  /// One random sample: its bytes, little-endian, and its value.
  public static func sample(
    _ format: SampleEncoding, using random: inout SeededGenerator
  ) -> (bytes: [UInt8], value: Double) {
    switch format {
    case .uint8:
      let value = UInt8.random(in: .min ... .max, using: &random)
      return ([value], (Double(value) - 128) / 128)
    case .int16:
      let value = Int16.random(in: .min ... .max, using: &random)
      return (bytes(of: UInt16(bitPattern: value)), Double(value) / 32_768)
    case .int24:
      let value = Int32.random(in: -8_388_608...8_388_607, using: &random)
      return (Array(bytes(of: UInt32(bitPattern: value)).prefix(3)), Double(value) / 8_388_608)
    case .int32:
      let value = Int32.random(in: .min ... .max, using: &random)
      return (bytes(of: UInt32(bitPattern: value)), Double(Float(value)) / 2_147_483_648)
    case .float32:
      let value = Float.random(in: -1...1, using: &random)
      return (bytes(of: value.bitPattern), Double(value))
    case .float64:
      let value = Double.random(in: -1...1, using: &random)
      return (bytes(of: value.bitPattern), Double(Float(value)))
    }
  }

  public static func bytes(of value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
