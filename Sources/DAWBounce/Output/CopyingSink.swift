import DAWMedia

/// Writes to another sink, and copies the finished file to a descriptor, such as standard output: for formats whose
/// header is only known at the end.
public final class CopyingSink: AudioStage {
  public let next: any AudioFileSink
  private let place: Place
  private let descriptor: Int32

  /// - Parameters:
  ///   - place: the file that `next` makes; removed afterwards.
  ///   - descriptor: not closed.
  public init(next: any AudioFileSink, place: Place, descriptor: Int32) {
    self.next = next
    self.place = place
    self.descriptor = descriptor
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    try next.append(planar: channels, frameCount: frameCount)
  }

  public func finish() throws(AudioFileWriteError) {
    try next.finish()
    try moveFile(place, toDescriptor: descriptor)
  }
}
