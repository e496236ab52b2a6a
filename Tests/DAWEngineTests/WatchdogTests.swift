import DAWTestSupport
import Glibc
import Testing

@testable import DAWEngine

@Test(
  "A watchdog has its pipe and its table whatever numbers they had",
  arguments: [(20, 21), (3, 4), (4, 3), (10, 11), (11, 10), (12, 10)] as [(Int32, Int32)])
func descriptorsOfAWatchdog(pipe: Int32, table: Int32) throws {
  let folder = try TemporaryFolder()
  // Out of the way of the numbers that they get in the child.
  let here = try ["/dev/zero", "/dev/full"].map { path throws -> Int32 in
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(opened) }
    let kept = fcntl(opened, F_DUPFD_CLOEXEC, 100)
    try #require(kept >= 100)
    return kept
  }
  defer { for descriptor in here { close(descriptor) } }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, folder.path("said"), O_WRONLY | O_CREAT, 0o600)
  for (descriptor, number) in zip(here, [pipe, table]) {
    posix_spawn_file_actions_adddup2(&actions, descriptor, number)
  }
  Watchdog.hand(pipe, table, by: &actions)
  let arguments = ["readlink", "/proc/self/fd/3", "/proc/self/fd/4"]
  let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  var process: pid_t = 0
  let result = posix_spawnp(&process, "readlink", &actions, nil, words, environ)
  try #require(result == 0)
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0, errno == EINTR {}
  #expect(try String(decoding: folder.bytes(of: "said"), as: UTF8.self) == "/dev/zero\n/dev/full\n")
}
