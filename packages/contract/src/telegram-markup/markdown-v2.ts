import { MarkupError, type MarkupRun, type MarkupStyle, RunBuilder } from './runs.ts'

const marks: Readonly<Record<string, MarkupStyle>> = {
  '*': 'bold',
  _: 'italic',
  __: 'underline',
  '~': 'strikethrough',
  '||': 'spoiler',
  '`': 'code',
  '```': 'pre',
}
const reserved = '_*[]()~`>#+-=|{}.!'

/** https://core.telegram.org/bots/api#markdownv2-style */
export const parseMarkdownV2 = (source: string): MarkupRun[] => {
  const parser = new MarkdownV2Parser(source)
  return parser.parse()
}

class MarkdownV2Parser {
  readonly #runs = new RunBuilder()
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): MarkupRun[] {
    while (this.#at < this.#source.length) this.#step()
    if (this.#runs.innermost?.style === 'quote') this.#runs.end()
    return this.#runs.finish()
  }

  #step(): void {
    if (this.#readEscape() || this.#readCode()) return
    if (this.#readQuoteEdge() || this.#readLinkEdge() || this.#readMark()) return
    const char = this.#source[this.#at]!
    if (reserved.includes(char))
      throw new MarkupError(`"${char}" at ${this.#at + 1} needs a backslash before it`)
    this.#take(char)
  }

  #take(text: string): void {
    this.#runs.append(text)
    this.#at += text.length
  }

  #startsWith(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  /** A backslash escapes any character with a code from 1 to 126; before others it is a character itself. */
  #readEscape(): boolean {
    const next = this.#source.charCodeAt(this.#at + 1)
    if (!this.#startsWith('\\') || !(next >= 1 && next <= 126)) return false
    this.#at += 1
    this.#take(this.#source[this.#at]!)
    return true
  }

  /** Nothing but its own end has a meaning within code. */
  #readCode(): boolean {
    const style = this.#runs.innermost?.style
    if (style !== 'code' && style !== 'pre') return false
    const mark = style === 'code' ? '`' : '```'
    if (this.#startsWith(mark)) {
      this.#runs.end()
      this.#at += mark.length
    } else if (this.#startsWith('`'))
      throw new MarkupError(`"\`" at ${this.#at + 1} needs a backslash before it`)
    else this.#take(this.#source[this.#at]!)
    return true
  }

  /** A quotation is made of lines that begin with ">"; "||" at its end only folds it. */
  #readQuoteEdge(): boolean {
    const isLineStart = this.#at === 0 || this.#source[this.#at - 1] === '\n'
    const isInside = this.#runs.isOpen('quote')
    const mark = this.#startsWith('**>') ? '**>' : '>'
    if (isLineStart && this.#startsWith(mark)) {
      if (!isInside) this.#runs.begin('quote', this.#at)
      this.#at += mark.length
      return true
    }
    if (this.#runs.innermost?.style !== 'quote') return false
    if (this.#startsWith('||') && /^(\n|$)/.test(this.#source.slice(this.#at + 2, this.#at + 3))) {
      this.#at += 2
      return true
    }
    if (!this.#startsWith('\n') || this.#source[this.#at + 1] === '>') return false
    this.#runs.end()
    this.#take('\n')
    return true
  }

  #readLinkEdge(): boolean {
    const opening = this.#startsWith('![') ? '![' : '['
    if (this.#startsWith(opening)) {
      this.#runs.begin('link', this.#at)
      this.#at += opening.length
      return true
    }
    if (!this.#startsWith(']') || this.#runs.innermost?.style !== 'link') return false
    const begin = this.#runs.innermost.at
    this.#at += 1
    const url = this.#startsWith('(') ? this.#readUrl() : undefined
    if (this.#source[begin] === '!' && !url?.startsWith('tg://emoji?'))
      throw new MarkupError(
        `the emoji at ${begin + 1} needs an address that begins with tg://emoji?`,
      )
    this.#runs.end(url)
    return true
  }

  #readUrl(): string {
    const begin = this.#at
    let url = ''
    for (this.#at += 1; this.#at < this.#source.length; this.#at += 1) {
      if (this.#startsWith(')')) {
        this.#at += 1
        return url
      }
      const next = this.#source.charCodeAt(this.#at + 1)
      if (this.#startsWith('\\') && next >= 1 && next <= 126) this.#at += 1
      url += this.#source[this.#at]
    }
    throw new MarkupError(`the address at ${begin + 1} has no end`)
  }

  #readMark(): boolean {
    const mark = ['```', '`', '__', '_', '||', '*', '~'].find(each => this.#startsWith(each))
    if (!mark) return false
    const style = marks[mark]!
    const begin = this.#at
    this.#at += mark.length
    if (this.#runs.innermost?.style === style) this.#runs.end()
    else this.#runs.begin(style, begin)
    if (style === 'pre') this.#skipLanguage()
    return true
  }

  #skipLanguage(): void {
    const [language = ''] = /^[^\s`\\]*\n/.exec(this.#source.slice(this.#at)) ?? []
    this.#at += language.length
  }
}
