/// Makes the frames of a stream one after the other: an instrument, for one. Used by one thread at a time, never the audio
/// thread.
public protocol StreamProducer: AnyObject {
  /// Makes the next frames, from timeline frame 0 on; how they are cut into calls changes no sample, nor does what the
  /// calling thread does with denormal numbers: whoever minds sets the flags itself.
  /// - Parameters:
  ///   - frameCount: at least 1.
  ///   - left: room for `frameCount` samples, full scale ±1; overwritten.
  ///   - right: likewise.
  /// - Throws: why it cannot go on; the frames are not valid then.
  func produce(frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) throws

  /// Whether all further frames are silence. One that cannot tell says no.
  var hasEnded: Bool { get }
}

extension StreamProducer {
  public var hasEnded: Bool { false }
}
