import DAWEngine
import DAWMedia

/// All that an instrument's frames depend on, as digests: where two keys are equal, so are the frames. What a mixer does
/// with them (mute, volume, pan) is no part of it, nor is where the SoundFont lies or what the track is called.
struct RenderKey: Hashable, Sendable {
  /// SHA-256 of each part, in the order of `RenderPart.allCases`.
  let parts: [[UInt8]]

  static let digestSize = 32

  init(parts: [[UInt8]]) { self.parts = parts }

  /// - Parameter renderer: the programs that turn the plan into frames, as text.
  init(_ plan: InstrumentPlan, renderer: String) {
    parts = RenderPart.allCases.map { part in
      var hash = StreamingSHA256()
      switch part {
      case .soundFont: hash.update(plan.soundFontHash)
      case .preset: hash.update("\(plan.bank):\(plan.program)\(plan.isPercussion ? ":kit" : "")")
      case .sampleRate: hash.update("\(plan.sampleRate.hertz)")
      case .events:
        hash.update(plan.events)
        for bytes in plan.systemExclusive {
          hash.update("\(bytes.count):")
          bytes.withUnsafeBytes { hash.update($0) }
        }
      case .effects: hash.update("\(plan.effects)")
      case .renderer: hash.update(renderer)
      }
      return hash.digest()
    }
  }

  /// 64 hexadecimal digits.
  var name: String {
    var hash = StreamingSHA256()
    for part in parts { part.withUnsafeBytes { hash.update($0) } }
    return hash.hexDigest()
  }

  /// What is not the same in both.
  func differences(from other: RenderKey) -> Set<RenderPart> {
    Set(zip(RenderPart.allCases, zip(parts, other.parts)).filter { $1.0 != $1.1 }.map(\.0))
  }
}

/// What a render of an instrument depends on.
public enum RenderPart: String, CaseIterable, Hashable, Sendable {
  case soundFont
  /// Bank and program.
  case preset
  case sampleRate
  /// Notes and controllers, and where they lie in frames: regions and tempo are in it.
  case events
  /// Gain, reverb and chorus of the instrument itself.
  case effects
  /// FluidSynth, what it computes with, and the kind of processor.
  case renderer
}

extension StreamingSHA256 {
  fileprivate mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// Sixteen bytes for each event, the lowest first: frame, status, data, a zero, and which bytes are meant.
  fileprivate mutating func update(_ events: [MIDIEvent]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * min(events.count, 4_096))
    for (number, event) in events.enumerated() {
      withUnsafeBytes(of: event.frame.littleEndian) { bytes += $0 }
      bytes.append(event.status)
      bytes.append(event.data1)
      bytes.append(event.data2)
      bytes.append(0)
      withUnsafeBytes(of: event.bytesIndex.littleEndian) { bytes += $0 }
      if bytes.count >= 16 * 4_096 || number == events.count - 1 {
        bytes.withUnsafeBytes { update($0) }
        bytes.removeAll(keepingCapacity: true)
      }
    }
  }
}

extension InstrumentPlan {
  /// SHA-256 of all that the plan says but for where the SoundFont lies: 64 hexadecimal digits.
  public var digest: String { RenderKey(self, renderer: "").name }
}
