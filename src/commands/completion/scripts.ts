/** The scripts that `anp completion` prints. */

export type Shell = "bash" | "zsh" | "fish";

/** Needs nothing of bash-completion; the last lines of the function are for bash 3.2, which macOS has. */
const BASH = `# bash completion of anp; in ~/.bashrc: source <(anp completion bash)
_anp() {
  local line last="" path="\${2##*=}"
  local -a found=()
  COMPREPLY=()
  while IFS= read -r line; do
    last="$line"
    if [[ "$line" != :* ]]; then found+=("$line"); fi
  done < <("\${1/#\\~\\//$HOME/}" __complete --line "\${COMP_LINE:0:COMP_POINT}" --replaced "$2" 2>/dev/null)
  if [[ "$last" != :* ]]; then return; fi
  if ((\${#found[@]} > 0)); then COMPREPLY=("\${found[@]}"); fi
  if [[ "$last" == *nospace ]]; then compopt -o nospace 2>/dev/null; fi
  case "$last" in
    :files*) compopt -o default 2>/dev/null || _anp_paths -f "$path" "\${2%"$path"}" ;;
    :folders*) compopt -o dirnames 2>/dev/null || _anp_paths -d "$path" "\${2%"$path"}" ;;
  esac
}

_anp_paths() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$3$line"); done < <(compgen "$1" -- "$2" 2>/dev/null)
}

complete -F _anp anp
`;

const ZSH = `#compdef anp
# zsh completion of anp; in ~/.zshrc after compinit: source <(anp completion zsh)
# Or in a file _anp of a folder in $fpath.
_anp() {
  local -a lines plain shown
  local line last space
  lines=("\${(@f)$("\${~words[1]}" __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  last="\${lines[-1]}"
  if [[ "$last" != :* ]]; then return 1; fi
  for line in "\${(@)lines[1,-2]}"; do
    plain+=("\${line%%$'\\t'*}")
    if [[ "$line" == *$'\\t'* ]]; then shown+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); else shown+=("\${line//:/\\\\:}"); fi
  done
  if [[ "$last" == *nospace ]]; then space=(-S ''); else space=(); fi
  if (($#plain > 0)); then _describe -V 'anp' shown plain "\${(@)space}"; return; fi
  if [[ "$last" == :none* ]]; then return 1; fi
  compset -P '*='
  if [[ "$last" == :folders* ]]; then _files -/; else _files; fi
}

if [[ "\${funcstack[1]}" == _anp ]]; then
  _anp "$@"
elif (($+functions[compdef])); then
  compdef _anp anp
fi
`;

const FISH = `# fish completion of anp; in ~/.config/fish/completions/anp.fish
function __anp_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l lines ($program __complete -- $words "$typed" 2>/dev/null)
    set -l last $lines[-1]
    if not string match -q -- ':*' "$last"
        return
    end
    set -e lines[-1]
    for line in $lines
        echo $line
    end
    # fish ends a word with a space when there is one way only, unless it ends in =.
    if test (count $lines) -eq 1; and string match -q -- '*nospace' "$last"
        echo (string split -f1 \\t -- $lines[1])=
    end
    set -l before (string match -r -- '^.*=' "$typed")
    set -l path (string replace -r -- '^.*=' '' "$typed")
    switch "$last"
        case ':files*'
            for found in (complete -C "'' $path")
                echo "$before$found"
            end
        case ':folders*'
            for found in (__fish_complete_directories "$path" '')
                echo "$before$found"
            end
    end
end

complete -c anp -f -k -a '(__anp_complete)'
`;

/**
 * Each passes the text before the cursor to `anp __complete` and shows its answer: a line for each candidate, with a
 * tab and its description if the shell shows one, then `:files`, `:folders` or `:none`, and optionally `nospace`. Answers
 * are never evaluated, and an answer without its last line is ignored.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
