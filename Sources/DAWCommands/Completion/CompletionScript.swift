import Foundation

/// What a shell runs to complete a command line of daw: a few lines that ask `daw` itself.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  /// The word by which the scripts ask.
  static let word = "--complete"

  /// Answers a script: a candidate a line, with what it is behind a tab, and `:files` or `:folders`.
  /// - Parameter words: the shell; for bash the line and the part that it replaces, for others all words up to the
  ///   cursor.
  static func answer(_ words: [String]) -> String {
    let completions: Completions
    if words.first == bash.rawValue {
      completions = BashCompletion.candidates(words.dropFirst().first ?? "", replacing: words.dropFirst(2).first ?? "")
    } else {
      completions = Completer(words: Array(words.dropFirst())).completions
    }
    let offered = completions.candidates.filter { candidate in
      // What no terminal may show cannot be typed either, and fish would expand a tilde.
      TerminalText.line(candidate.text) == candidate.text
        && !(words.first == fish.rawValue && candidate.text.unicodeScalars.first == "~")
    }
    let lines = offered.map { candidate in
      words.first == bash.rawValue || candidate.about.isEmpty
        ? candidate.text : "\(candidate.text)\t\(TerminalText.line(candidate.about))"
    }
    let paths =
      switch completions.paths {
      case .files: [":files"]
      case .folders: [":folders"]
      default: [String]()
      }
    return (lines + paths).map { $0 + "\n" }.joined()
  }

  var text: String {
    switch self {
    case .bash:
      """
      # Completion of daw in bash:  source <(daw completion bash)
      _daw() {
        local line part=${COMP_WORDS[COMP_CWORD]}
        COMPREPLY=()
        while IFS= read -r line; do
          case $line in
          :files | :folders)
            [ ${#COMPREPLY[@]} -gt 0 ] && continue
            compopt -o filenames
            local kind=-f
            [ "$line" = :folders ] && kind=-d
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$kind" -- "$part")
            ;;
          *) COMPREPLY+=("$line") ;;
          esac
        done < <("${COMP_WORDS[0]}" --complete bash "${COMP_LINE:0:COMP_POINT}" "$part" 2>/dev/null)
        case "${COMPREPLY[*]}" in *=) compopt -o nospace ;; esac
      }
      complete -F _daw daw
      """
    case .zsh:
      """
      #compdef daw
      # Completion of daw in zsh:  source <(daw completion zsh), or as the file _daw in a folder of $fpath
      _daw() {
        local line tab=$'\\t'
        local -a candidates descriptions
        for line in "${(@f)$("${(Q)words[1]}" --complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
          case $line in
            :files) (( ${#candidates} )) || _files ;;
            :folders) (( ${#candidates} )) || _files -/ ;;
            ?*) candidates+=("${line%%$tab*}"); descriptions+=("${line/$tab/  }") ;;
          esac
        done
        (( ${#candidates} )) && compadd -U -l -d descriptions -a candidates
      }
      if [ "$funcstack[1]" = _daw ]; then _daw "$@"; else compdef _daw daw; fi
      """
    case .fish:
      """
      # Completion of daw in fish:  daw completion fish | source
      function __daw_complete
        set -l words (commandline -opc)
        set -l typed (commandline -ct | string unescape)
        set -l found ($words[1] --complete fish $words[2..-1] "$typed" 2>/dev/null)
        set -l candidates (string match -v ':*' -- $found)
        if test (count $candidates) -gt 0
          printf '%s\\n' $candidates
        else if contains -- :files $found
          __fish_complete_path "$typed"
        else if contains -- :folders $found
          __fish_complete_directories "$typed"
        end
      end
      complete -c daw -f -a '(__daw_complete)'
      """
    }
  }
}
