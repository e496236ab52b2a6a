import CFakeJack
import CJack
import DAWTestSupport
import Testing

@testable import DAWJack

@Suite("A port that is listened to without a player")
struct InputCaptureTests {
  @Test("Where the buffer becomes shorter no frame is lost, and none comes twice; those of missed cycles are counted")
  func shorterBuffers() throws {
    // The real library first, as in `FakeClient`.
    _ = try? JackLibrary.shared()
    let library = JackLibrary(functions: fake_jack_functions())
    let handle = try #require(fake_jack_client())
    _ = library.functions.jack_port_register(
      handle, "out", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
    let capture = try InputCapture(library, handle, source: "fake:out")
    let samples = UnsafeMutablePointer(mutating: fake_jack_samples(try #require(fake_jack_port(handle, "in"))))
    var (sent, read): ([Float], [Float]) = ([], [])
    func cycle(_ count: UInt32) {
      for index in 0..<Int(count) {
        samples[index] = Float(sent.count)
        sent.append(Float(sent.count))
      }
      fake_jack_cycle(handle, count)
    }
    for size: UInt32 in [1_024, 256, 64] {
      cycle(size)
      cycle(size)
      // JACK2 counts the last cycle as if it had been as short as those that follow.
      fake_jack_miss(handle, size / 4 &- size)
      cycle(size / 4)
    }
    fake_jack_miss(handle, 100)
    cycle(16)
    capture.read { read += $0 }
    #expect(read == sent)
    #expect(capture.lostFrames == 100)
  }

  @Test("A port that a patch bay has connected already is listened to")
  func connectedAlready() throws {
    _ = try? JackLibrary.shared()
    let library = JackLibrary(functions: fake_jack_functions())
    let handle = try #require(fake_jack_client())
    _ = library.functions.jack_port_register(
      handle, "out", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
    #expect(library.functions.jack_connect(handle, "fake:out", "fake:in") == 0)
    let capture = try InputCapture(library, handle, source: "fake:out")
    capture.close()
    #expect(fake_jack_is_closed(handle) == 1)
  }
}
