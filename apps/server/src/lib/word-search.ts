type State = {
  readonly next: Map<number, State>
  /** The longest other beginning of a word that ends here. */
  fallback: State | undefined
  word: string | undefined
}

/** Characters without width, which would hide a word from the search. */
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g

const normalize = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(invisible, '')

const makeState = (): State => ({ next: new Map(), fallback: undefined, word: undefined })

/**
 * Finds any of many words in a text, wherever it stands, in time that is linear in the text (Aho-Corasick). Letter case,
 * width and invisible characters do not count.
 */
export class WordSearch {
  private readonly root = makeState()

  constructor(words: readonly string[]) {
    for (const word of words) this.add(word)
    this.link()
  }

  find(text: string): string | undefined {
    let state = this.root
    const normalized = normalize(text)
    for (let at = 0; at < normalized.length; at++) {
      state = this.step(state, normalized.charCodeAt(at))
      if (state.word !== undefined) return state.word
    }
    return undefined
  }

  private add(word: string) {
    const normalized = normalize(word).trim()
    if (normalized === '') return
    let state = this.root
    for (let at = 0; at < normalized.length; at++) {
      const unit = normalized.charCodeAt(at)
      const next = state.next.get(unit) ?? makeState()
      state.next.set(unit, next)
      state = next
    }
    state.word = word.trim()
  }

  /** Breadth first, so that the fallback of a state is complete before the states behind it. */
  private link() {
    const queue = [...this.root.next.values()]
    for (const state of queue) state.fallback = this.root
    for (const state of queue)
      for (const [unit, next] of state.next) {
        next.fallback = this.step(state.fallback ?? this.root, unit)
        next.word ??= next.fallback.word
        queue.push(next)
      }
  }

  private step(from: State, unit: number): State {
    let state: State | undefined = from
    while (state) {
      const next = state.next.get(unit)
      if (next) return next
      state = state.fallback
    }
    return this.root
  }
}
