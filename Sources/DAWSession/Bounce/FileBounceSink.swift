import DAWBounce
import DAWMedia

/// The bounce's frames, written to an audio file.
final class FileBounceSink: BounceSink {
  private let sink: any AudioFileSink

  init(_ sink: any AudioFileSink) { self.sink = sink }

  var clippedSampleCount: Int64 { sink.clippedSampleCount }

  func write(left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount: Int) throws {
    try withUnsafePointer(to: (left, right)) { pair in
      try pair.withMemoryRebound(to: UnsafePointer<Float>.self, capacity: 2) { channels in
        try sink.append(planar: UnsafeBufferPointer(start: channels, count: 2), frameCount: frameCount)
      }
    }
  }

  func finish() throws { try sink.finish() }

  func discard() { sink.cancel() }
}
