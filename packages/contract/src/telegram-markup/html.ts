import { MarkupError, type MarkupRun, type MarkupStyle, RunBuilder } from './runs.ts'

const tags: Readonly<Record<string, MarkupStyle>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  'tg-emoji': 'link',
  a: 'link',
  code: 'code',
  pre: 'pre',
  blockquote: 'quote',
}
const tag = /<(\/?)([a-z\d-]+)((?:\s+[a-z\d-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*>/giy
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** https://core.telegram.org/bots/api#html-style */
export const parseHtml = (source: string): MarkupRun[] => {
  const runs = new RunBuilder()
  const open: string[] = []
  let at = 0
  while (at < source.length) {
    const next = source.indexOf('<', at)
    const text = source.slice(at, next < 0 ? undefined : next)
    if (text !== '') runs.append(decodeEntities(text))
    if (next < 0) break
    tag.lastIndex = next
    const found = tag.exec(source)
    if (!found) throw new MarkupError(`"<" at ${next + 1} begins no tag; write &lt;`)
    readTag(found, { runs, open, at: next })
    at = next + found[0].length
  }
  return runs.finish()
}

type OpenTags = { runs: RunBuilder; open: string[]; at: number }

const readTag = ([, slash, named = '', attributes = '']: string[], place: OpenTags): void => {
  const { runs, open, at } = place
  const name = named.toLowerCase()
  const style = Object.hasOwn(tags, name) ? tags[name] : undefined
  if (!style) throw new MarkupError(`the tag <${name}> at ${at + 1} is not supported`)
  if (slash) {
    if (open.pop() !== name) throw new MarkupError(`</${name}> at ${at + 1} ends no open tag`)
    runs.end()
    return
  }
  if (name === 'span' && attributeOf(attributes, 'class') !== 'tg-spoiler')
    throw new MarkupError(`<span> at ${at + 1} must have the class tg-spoiler`)
  open.push(name)
  runs.begin(style, at, name === 'a' ? attributeOf(attributes, 'href') : undefined)
}

const attributeOf = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
  const [, double, single, bare] = found.exec(attributes) ?? []
  const value = double ?? single ?? bare
  return value === undefined ? undefined : decodeEntities(value)
}

/** Other names stay as they are, as in Telegram. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));?/gi, (whole, decimal, hex, name) => {
    if (name) return Object.hasOwn(entities, name) ? entities[name]! : whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
