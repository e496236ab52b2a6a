import DAWTestSupport
import Foundation
import Testing

/// `retain`, `remove-recording`, `restore-recording` and `forget` where the disk is full, or where they are killed.
@Suite("Retention on a full disk, and killed")
struct RetentionDiskTests {
  /// Makes a project with recordings of noise in rows and files; they are long past. Its only argument is its folder.
  private static let make = """
    daw new "$1" --quiet
    daw -p "$1" set-retention --compress-after 1d --quality lossless --trash 0d --quiet
    for n in 1 2 3; do
      mkdir -p "$1.daw/Audio/Recordings/Take $n"
      path="Audio/Recordings/Take $n/Vox.0001.wav"
      python3 - "$1.daw/$path" <<'PY'
    import random, struct, sys
    frames = 48000
    data = b"".join(struct.pack("<h", random.randint(-3000, 3000)) for _ in range(frames))
    head = b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 48000, 96000, 2, 16)
    open(sys.argv[1], "wb").write(head + b"data" + struct.pack("<I", len(data)) + data)
    PY
      hash=$(sha256sum "$1.daw/$path" | cut -d' ' -f1)
      sqlite3 "$1.daw/project.sqlite" "INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration,
        sampleRate, bitDepth, folder) VALUES ($n, 1600000000000, 1600000000000, 1600000001000, 1, 48000, 48000, 16,
        'Audio/Recordings/Take $n'); INSERT INTO pass (id, recording, track, startTime, firstHostFrame, frames)
        VALUES ($n, $n, 9, 1600000000000, 0, 48000); INSERT INTO segment (id, pass, frames, path, fileSize, sha256, createdAt,
        state) VALUES ($n, $n, 48000, '$path', 96044, '$hash', 1600000000000, 'sealed'); INSERT INTO recordingNote
        (id, title) VALUES ($n, 'Take $n');"
    done
    daw -p "$1" check --record --quiet
    """

  /// Names the segments of which no file in the project has the hash that their rows have. Writes to another disk.
  private static let account = """
    base=$PWD
    account() {
      find "$1.daw/Audio" -type f -exec sha256sum {} + | cut -d' ' -f1 >"$base/hashes"
      rm -f "$base"/account.sqlite*
      for ending in "" -wal; do cp "$1.daw/project.sqlite$ending" "$base/account.sqlite$ending" 2>/dev/null; done
      sqlite3 -separator ' ' "$base/account.sqlite" "SELECT sha256, path FROM segment" >"$base/rows"
      while read -r hash path; do grep -q "$hash" "$base/hashes" || echo "LOST $path"; done <"$base/rows"
      echo "accounted for $(wc -l <"$base/rows")"
    }
    """

  @Test(
    "On a full disk each says so and loses nothing, and does its work when there is room",
    .enabled(if: ownMounts != nil))
  func fullDisk() throws {
    try withScratchFolder { folder in
      let script = """
        \(Self.account)
        make() {
        \(Self.make)
        }
        mkdir small
        mount -t tmpfs -o size=3m tmpfs small
        cd small
        make Song >/dev/null
        dd if=/dev/zero of=fill bs=1k 2>/dev/null
        for words in "retain" "remove-recording Take\\\\ 2" "forget Take\\\\ 3 --yes"; do
          eval "daw -p Song $words" >out 2>&1; echo "full: $words: status $?"
          account Song
        done
        for room in 20 60 120; do
          truncate -s -${room}k fill
          daw -p Song retain >/dev/null 2>&1; echo "room: status $?"
          account Song
        done
        rm fill
        daw -p Song retain; echo "retain: status $?"
        account Song
        daw -p Song remove-recording 'Take 2' >/dev/null; echo "remove: status $?"
        account Song
        dd if=/dev/zero of=fill bs=1k 2>/dev/null
        daw -p Song restore-recording 'Take 2' >out 2>&1; echo "full: restore: status $?"
        account Song
        rm fill
        daw -p Song restore-recording 'Take 2' >/dev/null; echo "restore: status $?"
        account Song
        daw -p Song forget --all --yes >/dev/null; echo "forget: status $?"
        ls Song.daw/Audio/Recordings Song.daw/Audio/.trash | grep -c wav
        daw -p Song check; echo "check: status $?"
        """
      let (_, text) = try runShell(in: folder, input: "\(try #require(ownMounts)) bash <<'EOF'\n\(script)\nEOF\n")
      #expect(!text.contains("LOST") && text.contains("accounted for 3"), "\(text)")
      #expect(text.components(separatedBy: "accounted for 3").count >= 11, "\(text)")
      #expect(text.contains("full: retain: status 74"), "\(text)")
      for word in ["retain", "remove", "restore", "forget", "check"] {
        #expect(text.contains("\n\(word): status 0"), "\(word): \(text)")
      }
      #expect(text.contains("\n0\n"), "\(text)")
    }
  }

  @Test("In a project that cannot be written it is refused, also as a trial", .enabled(if: ownMounts != nil))
  func readOnly() throws {
    try withScratchFolder { folder in
      let script = """
        make() {
        \(Self.make)
        }
        mkdir small
        mount -t tmpfs -o size=8m tmpfs small
        cd small
        make Song >/dev/null
        mount -o remount,ro "$PWD"
        for words in --dry-run --yes; do
          daw -p Song retain $words >../out 2>../err; echo "$words: status $?, $(wc -c <../out) bytes"
          grep -c 'cannot be written' ../err
        done
        """
      let (_, text) = try runShell(in: folder, input: "\(try #require(ownMounts)) bash <<'EOF'\n\(script)\nEOF\n")
      #expect(text == "--dry-run: status 74, 0 bytes\n1\n--yes: status 74, 0 bytes\n1\n")
    }
  }

  @Test("More recordings are compressed than a process may have folders open")
  func descriptors() throws {
    try withScratchFolder { folder in
      let script = """
        make() {
        \(Self.make)
        }
        make Song >/dev/null
        for n in $(seq 4 80); do cp -r "Song.daw/Audio/Recordings/Take 1" "Song.daw/Audio/Recordings/Take $n"; done
        sqlite3 Song.daw/project.sqlite "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS
          (VALUES (4) UNION ALL SELECT i + 1 FROM n WHERE i < 80) SELECT i FROM n;
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, bitDepth, folder)
          SELECT i, createdAt, startTime, endTime, 1, duration, sampleRate, bitDepth, 'Audio/Recordings/Take ' || i
          FROM n, recording WHERE id = 1;
        INSERT INTO pass (id, recording, track, startTime, firstHostFrame, frames)
          SELECT i, i, track, startTime, 0, frames FROM n, pass WHERE id = 1;
        INSERT INTO segment (id, pass, frames, path, fileSize, sha256, createdAt, state)
          SELECT i, i, frames, 'Audio/Recordings/Take ' || i || '/Vox.0001.wav', fileSize, sha256, createdAt, state
          FROM n, segment WHERE id = 1"
        (ulimit -n 64; daw -p Song retain >out 2>&1; echo "status $?")
        grep -c Compressed out
        find Song.daw/Audio -name '*.wav' | wc -l
        """
      let (_, text) = try runShell(in: folder, input: script)
      #expect(text == "status 0\n80\n0\n", "\(text)")
    }
  }

  @Test("Killed at any point, files and facts agree after the next run, and no sound is lost")
  func killed() throws {
    let seed = Seed.current()
    var random = SeededGenerator(seed: seed)
    // Seconds after the start.
    let times = (0..<AuditCount.current(usually: 6)).map { _ in String(Double.random(in: 0.02...0.25, using: &random)) }
    try withScratchFolder { folder in
      let script = """
        \(Self.account)
        make() {
        \(Self.make)
        }
        make Whole >/dev/null
        for time in \(times.joined(separator: " ")); do
          for words in "retain" "remove-recording Take\\\\ 1 Take\\\\ 2 Take\\\\ 3"; do
            rm -rf Song.daw
            cp -r Whole.daw Song.daw
            eval "timeout -s KILL $time daw -p Song $words" >/dev/null 2>&1
            daw -p Song show >/dev/null || echo "UNREADABLE after $time: $words"
            account Song
            eval "daw -p Song $words" >out 2>&1
            account Song
            daw -p Song restore-recording 'Take 1' 'Take 2' 'Take 3' >/dev/null 2>&1
            daw -p Song retain >out 2>&1 || { echo "FAILED after $time: $words"; cat out; }
            account Song
            daw -p Song check >out || { echo "FAULTY after $time: $words"; cat out; }
            find Song.daw/Audio -name '*.wav' | sed "s/^/LEFT /"
          done
        done
        echo finished
        """
      let (_, text) = try runShell(in: folder, input: script)
      #expect(text.hasSuffix("finished\n"), "seed \(seed): \(text)")
      for word in ["LOST", "UNREADABLE", "FAILED", "FAULTY", "LEFT"] {
        #expect(!text.contains(word), "seed \(seed): \(text)")
      }
    }
  }
}
