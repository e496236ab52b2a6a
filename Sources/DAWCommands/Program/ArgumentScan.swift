/// The arguments of a command, assigned to what the command takes.
struct ArgumentScan {
  private(set) var positionals: [String] = []
  private(set) var options: [(argument: OptionGrammar.Argument, value: String?)] = []
  /// Words that look like options and are none of the command's.
  private(set) var unknown: [String] = []
  /// The option that the last word is, where its value has yet to follow.
  private(set) var open: OptionGrammar.Argument?
  /// Options of one letter whose value is in the same word, which the parser does not take.
  private(set) var joined: [(argument: OptionGrammar.Argument, value: String)] = []
  /// Options that another option follows where their value should.
  private(set) var withoutValue: [OptionGrammar.Argument] = []
  /// Whether `--` has ended the options.
  private(set) var isPastOptions = false

  init(_ words: some Sequence<String>, _ grammar: OptionGrammar) {
    for word in words {
      if let option = open {
        open = nil
        // The option may have its value behind an equals sign.
        if grammar.named(word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word) != nil {
          withoutValue.append(option)
          take(word, grammar)
        } else {
          options.append((option, word))
        }
      } else if isPastOptions || !Self.looksLikeOption(word) {
        positionals.append(word)
      } else if word == "--" {
        isPastOptions = true
      } else {
        take(word, grammar)
      }
    }
  }

  /// - Parameter typed: the word as it was typed, where the letters before these were flags.
  private mutating func take(_ word: String, _ grammar: OptionGrammar, in typed: String? = nil) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    // Flags of one letter may be joined, and the last may be an option: -qo FILE.
    let name = word.hasPrefix("--") ? parts[0] : String(word.prefix(2))
    guard let argument = grammar.named(name) else {
      unknown.append(typed ?? parts[0])
      return
    }
    if argument.kind == .flag {
      options.append((argument, nil))
      let others = word.hasPrefix("--") ? "" : word.dropFirst(2)
      if let next = others.first, next != "=" { take("-" + others, grammar, in: typed ?? word) }
    } else if word == name {
      open = argument
    } else {
      let value = parts.count > 1 ? parts[1] : String(word.dropFirst(2))
      if !word.hasPrefix("--"), parts[0] != name { joined.append((argument, String(word.dropFirst(2)))) }
      options.append((argument, value))
    }
  }

  /// A negative number, and `-` for standard input, are values.
  private static func looksLikeOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-" && word.dropFirst().first?.isASCIIDigit != true
      && !word.hasPrefix("-inf") && !word.hasPrefix("-.")
  }
}
