export type MarkupStyle =
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'spoiler'
  | 'code'
  | 'pre'
  | 'quote'
  | 'link'

/** A piece of text in one set of styles. */
export type MarkupRun = { text: string; styles: readonly MarkupStyle[]; url?: string }

/** The first place at which Telegram would refuse the text. `why` is an English sentence part. */
export class MarkupError extends Error {}

type OpenStyle = { style: MarkupStyle; at: number; firstRun: number; url: string | undefined }

/** Collects runs of text while styles open and close in the order of a stack. */
export class RunBuilder {
  readonly #runs: MarkupRun[] = []
  readonly #open: OpenStyle[] = []

  get innermost(): OpenStyle | undefined {
    return this.#open.at(-1)
  }

  isOpen(style: MarkupStyle): boolean {
    return this.#open.some(each => each.style === style)
  }

  append(text: string): void {
    const styles = this.#open.map(each => each.style)
    const last = this.#runs.at(-1)
    const isNew = !last || this.#runs.length === (this.innermost?.firstRun ?? -1)
    if (isNew || last.styles.join() !== styles.join() || last.url !== undefined)
      this.#runs.push({ text, styles })
    else last.text += text
  }

  /** `at`: the offset of the mark in the source. */
  begin(style: MarkupStyle, at: number, url?: string): void {
    this.#open.push({ style, at, firstRun: this.#runs.length, url })
  }

  end(url?: string): void {
    const closed = this.#open.pop()!
    const target = url ?? closed.url
    if (target === undefined) return
    for (const run of this.#runs.slice(closed.firstRun)) run.url = target
  }

  /** Throws if a style is still open. */
  finish(): MarkupRun[] {
    const { innermost } = this
    if (innermost) throw new MarkupError(`${innermost.style} at ${innermost.at + 1} has no end`)
    return this.#runs
  }
}
