import DAWInstruments
import Foundation
import Testing

extension InstrumentTests {
  @Suite struct SoundFonts {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("daw-\(UUID().uuidString)")

    init() throws {
      try requireSoundFont()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ name: String, _ bytes: Data) throws -> String {
      let url = folder.appendingPathComponent(name)
      try bytes.write(to: url)
      return url.resolvingSymlinksInPath().path
    }

    private func refusal(_ path: String, bank: Int = 0, program: Int = 0, hertz: Int = 48_000) -> InstrumentError? {
      do throws(InstrumentError) {
        _ = try FluidSynthInstrument(plan: plan([], bank: bank, program: program, hertz: hertz, path: path))
        return nil
      } catch {
        return error
      }
    }

    @Test func aSoundFontThatCannotPlayIsNamed() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let missing = folder.appendingPathComponent("none.sf2").path
      #expect(refusal(missing) == .soundFontMissing(path: missing))
      let text = try file("text.sf2", Data("not a SoundFont".utf8))
      #expect(refusal(text) == .notASoundFont(path: text))
      let empty = try file("empty.sf2", Data())
      #expect(refusal(empty) == .notASoundFont(path: empty))
      let whole = try Data(contentsOf: URL(fileURLWithPath: soundFont))
      for length in [12, 1_000, whole.count / 2, whole.count - 1_000] {
        let cut = try file("cut-\(length).sf2", whole.prefix(length))
        #expect(refusal(cut) == .soundFontBroken(path: cut))
      }
      #expect(refusal(folder.path) == .soundFontUnreadable(path: folder.path, reason: "Is a directory"))
    }

    @Test func aPresetThatIsNotThereIsRefusedWithOthersNearIt() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      guard case .presetMissing(_, 77, 5, let nearest)? = refusal(soundFont, bank: 77, program: 5) else {
        Issue.record("not refused")
        return
      }
      #expect(nearest.count == 4)
      #expect(nearest.first?.bank == 0 && nearest.first?.program == 5)
      let sentence = InstrumentError.presetMissing(path: "/a.sf2", bank: 77, program: 5, nearest: nearest).description
      #expect(sentence.contains("bank 0 program 5 '"))
    }

    @Test(arguments: [0, 7_999, 96_001, 192_001, 384_000])
    func aRateThatFluidSynthCannotPlayIsRefused(hertz: Int) throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      #expect(refusal(soundFont, hertz: hertz) == .rateUnsupported(hertz: hertz))
    }

    @Test func theSystemsDefaultComesFirstAndEachFileOnce() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let header = Data("RIFF\u{4}\u{0}\u{0}\u{0}sfbk".utf8)
      let zebra = try file("zebra.sf2", header)
      let apple = try file("apple.sf2", header)
      let small = try file("TimGM6mb.sf2", header)
      _ = try file("readme.sf2", Data("text".utf8))
      let folders = [folder.path, folder.appendingPathComponent("none").path]
      #expect(SoundFontLibrary.installed(in: folders) == [small, apple, zebra])
      let link = folder.appendingPathComponent("default-GM.sf2").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: zebra)
      #expect(SoundFontLibrary.installed(in: folders) == [zebra, small, apple])
    }

    @Test func theInstalledSoundFontIsFound() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      #expect(SoundFontLibrary.installed().contains(soundFont))
      #expect(try SoundFontLibrary.fluidSynthVersion().hasPrefix("2."))
    }
  }
}
