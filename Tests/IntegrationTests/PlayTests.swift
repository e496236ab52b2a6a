import DAWTestSupport
import Testing

/// Tests with a JACK server of their own: one after the other, since each of them wants the machine's time.
@Suite("Playing live", .serialized, .enabled(if: JackServer.isAvailable))
struct PlayTests {}
