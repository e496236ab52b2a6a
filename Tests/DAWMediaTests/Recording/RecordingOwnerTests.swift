import Foundation
import Testing

@testable import DAWMedia

@Suite struct RecordingOwnerTests {
  @Test func aProcessThatWasKilledIsGoneBeforeItsParentAsks() throws {
    var process: pid_t = 0
    let words = [strdup("sleep"), strdup("1000"), nil]
    defer { for word in words { free(word) } }
    #expect(posix_spawnp(&process, "sleep", nil, nil, words, environ) == 0)
    let owner = RecordingOwner(ofProcess: process)
    #expect(owner.isAlive)
    #expect(RecordingOwner.current.isAlive)
    #expect(!RecordingOwner(processID: process, startTime: owner.startTime + 1, bootID: owner.bootID).isAlive)
    #expect(!RecordingOwner(processID: process, startTime: owner.startTime, bootID: "another").isAlive)
    kill(process, SIGKILL)
    let deadline = ContinuousClock.now + .seconds(30)
    while owner.isAlive, ContinuousClock.now < deadline { usleep(1_000) }
    #expect(!owner.isAlive)
    waitpid(process, nil, 0)
  }
}
