import DAWEngine
import Glibc

/// Times an equalizer with four bells and a compressor on 64 stereo strips of noise, as `Reference/effects.c` does.
/// Prints nanoseconds per frame of a strip, and the sum of all that came out.
///
///     EffectBench SECONDS
@main
struct EffectBench {
  static let strips = 64
  static let block = 256

  static func main() {
    guard CommandLine.arguments.count == 2, let seconds = Double(CommandLine.arguments[1]) else {
      print("usage: EffectBench SECONDS")
      exit(64)
    }
    var bells = EffectKind.eq.defaults
    for band in 0..<4 {
      bells[5 * band] = 1
      bells[5 * band + 2] = 3
    }
    let compression = EffectKind.compressor.defaults
    let equalizers = (0..<strips).map { _ in EffectState(EffectSetup(kind: .eq, sampleRate: 48_000)) }
    let compressors = (0..<strips).map { _ in EffectState(EffectSetup(kind: .compressor, sampleRate: 48_000)) }
    let noise = noise()
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * block)
    let (left, right) = (samples, samples + block)
    let blocks = Int(seconds * 48_000) / block
    var sum = 0.0
    let begin = now()
    for _ in 0..<blocks {
      for strip in 0..<strips {
        samples.update(from: noise, count: 2 * block)
        for (state, values) in [(equalizers[strip], bells), (compressors[strip], compression)] {
          state.process(
            left: left, right: right, keyLeft: nil, keyRight: nil, frameCount: block, place: 0, start: values, end: nil)
        }
        sum += Double(left[strip] + right[strip])
      }
    }
    let nanoseconds = (now() - begin) * 1e9 / Double(blocks * block * strips)
    print(fixed(nanoseconds, 2), fixed(sum, 4))
  }

  private static func noise() -> [Float] {
    var seed: UInt32 = 1
    return (0..<2 * block).map { _ in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: seed)) / 0x1p31
    }
  }

  /// This process's time on processors, seconds.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private static func fixed(_ value: Double, _ digits: Int) -> String {
    let scale = pow(10, Double(digits))
    return "\((value * scale).rounded() / scale)"
  }
}
