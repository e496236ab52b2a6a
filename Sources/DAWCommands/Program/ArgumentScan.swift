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
  /// Words behind `--` that would be options of the command before it.
  private(set) var optionsTooLate: [String] = []
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
        if isPastOptions, grammar.named(String(word.prefix { $0 != "=" })) != nil { optionsTooLate.append(word) }
      } else if word == "--" {
        isPastOptions = true
      } else {
        take(word, grammar)
      }
    }
  }

  private mutating func take(_ word: String, _ grammar: OptionGrammar) {
    if !word.hasPrefix("--") { return takeLetters(word, grammar) }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let argument = grammar.named(parts[0]) else { return unknown.append(parts[0]) }
    if argument.kind == .flag {
      options.append((argument, nil))
    } else if parts.count == 1 {
      open = argument
    } else {
      options.append((argument, parts[1]))
    }
  }

  /// Flags of one letter may be joined, and the last may be an option: -qo FILE.
  private mutating func takeLetters(_ word: String, _ grammar: OptionGrammar) {
    let letters = word.dropFirst()
    for place in letters.indices {
      guard let argument = grammar.named("-\(letters[place])") else {
        return unknown.append(place == letters.startIndex ? String(word.prefix { $0 != "=" }) : word)
      }
      let rest = letters[letters.index(after: place)...]
      if argument.kind == .flag {
        options.append((argument, nil))
        if rest.first == "=" { return }
      } else if rest.isEmpty {
        open = argument
      } else {
        if rest.first != "=" { joined.append((argument, String(rest))) }
        return options.append((argument, String(rest.first == "=" ? rest.dropFirst() : rest)))
      }
    }
  }

  /// A negative number, and `-` for standard input, are values.
  private static func looksLikeOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-" && word.dropFirst().first?.isASCIIDigit != true
      && !word.hasPrefix("-inf") && !word.hasPrefix("-.")
  }
}
