// Loops over samples, in a module that is optimised in debug builds, too: in the tests they take ten times as long.
import Foundation

/// Bit patterns of both sides, so that −0 differs from 0.
public func bits(_ sides: [[Float]]) -> [[UInt32]] { sides.map { $0.map(\.bitPattern) } }

/// The greatest distance from a sample to the next one.
public func greatestJump(_ samples: [Float]) -> Float {
  var greatest: Float = 0
  for index in samples.indices.dropFirst() { greatest = max(greatest, abs(samples[index] - samples[index - 1])) }
  return greatest
}

/// Samples of 16 bits, little-endian, full scale ±1.
public func samples(ofInt16 data: Data) -> [Float] {
  data.withUnsafeBytes { bytes in
    (0..<bytes.count / 2).map { index in
      Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))) / 32_768
    }
  }
}

extension NumberingClient {
  /// The first frame that is neither the number that belongs there nor, in a gap, silence.
  /// - Parameters:
  ///   - samples: interleaved, two channels.
  ///   - number: that belongs to the first frame.
  ///   - gaps: in frames from the first.
  public static func firstWrongFrame(in samples: [Float], from number: Int64, gaps: [Range<Int64>]) -> Int? {
    (0..<samples.count / 2).first { index in
      let (left, right) = (samples[2 * index], samples[2 * index + 1])
      if gaps.contains(where: { $0.contains(Int64(index)) }) { return left != 0 || right != 0 }
      return frame(left: left, right: right) != UInt32(truncatingIfNeeded: number + Int64(index))
    }
  }
}

/// What was played at each frame of a host, whose frames come in order, some of them left out.
public struct PlayedFrames: Sendable {
  private var runs: [(first: Int64, samples: [Float])] = []

  public init() {}

  public mutating func append(_ samples: [Float], at frame: Int64) {
    let last = runs.count - 1
    if last >= 0, runs[last].first + Int64(runs[last].samples.count) == frame {
      runs[last].samples += samples
    } else {
      runs.append((frame, samples))
    }
  }

  /// - Returns: `nil` for a frame that was not played.
  public subscript(frame: Int64) -> Float? {
    guard let run = runs.last(where: { $0.first <= frame }) else { return nil }
    let index = Int(frame - run.first)
    return index < run.samples.count ? run.samples[index] : nil
  }
}
