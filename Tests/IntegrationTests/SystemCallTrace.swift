import DAWTestSupport
import Foundation

/// Runs programs under strace.
struct SystemCallTrace {
  /// Why nothing can be traced, as a sentence.
  struct Unavailable: Error, CustomStringConvertible {
    var description: String
  }

  /// All that changes files, or a descriptor's place in one.
  private static let calls = """
    open,openat,openat2,creat,close,dup,dup2,dup3,fcntl,lseek,read,readv,write,writev,pwrite64,pwritev,pwritev2,truncate,\
    ftruncate,fallocate,copy_file_range,sendfile,splice,ioctl,mmap,rename,renameat,renameat2,link,linkat,symlink,symlinkat,\
    unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,sync,syncfs,sync_file_range,chdir,fchdir,fork,vfork,clone,clone3
    """

  private var reader = TraceReader()

  /// Lines that have been read so far.
  var lineCount: Int { reader.lineCount }

  /// - Throws: `Unavailable` where this machine does not let one program trace another.
  init() throws {
    let folder = FileManager.default.temporaryDirectory
    let strace = DAWProgram(path: "/usr/bin/env", folder: folder)
    let output = try strace.run(["strace", "-f", "-o", "/dev/null", "true"])
    guard output.status == 0 else {
      throw Unavailable(
        description: "strace cannot trace a program here, so that nothing was tested: \(output.error) "
          + "'Scripts/setup test' installs it; a container has to allow ptrace.")
    }
  }

  /// Runs `daw` to its end, which must be a good one.
  mutating func run(_ daw: DAWProgram, _ arguments: [String]) throws -> (output: DAWProgram.Output, calls: [TracedCall])
  {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent("daw-trace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    var strace = daw
    strace.path = "/usr/bin/env"
    let options = ["-f", "-q", "-xx", "-s", "100000000", "-e", "raw=read,readv,ioctl", "-e", "trace=\(Self.calls)"]
    let output = try strace.run(["strace"] + options + ["-o", log.path, daw.path] + arguments)
    guard output.status == 0 else { throw DAWProgram.Failed(arguments: arguments, output: output) }
    return (output, try reader.read([UInt8](Data(contentsOf: log))))
  }
}
