import type { EmailText } from '../../../core/define-job.ts'

/** A message whose parts are not escaped yet. */
export type Plain = { title: string; text: string; link?: EmailText['link'] }

const measures = {
  /** UTF-16 code units. */
  units: (text: string) => text.length,
  bytes: (text: string) => Buffer.byteLength(text),
  /** Bytes within JSON, in which quotes, line breaks and backslashes take two. */
  jsonBytes: (text: string) => Buffer.byteLength(JSON.stringify(text)),
  /** Unicode code points. */
  characters: (text: string) => [...text].length,
}
type Unit = keyof typeof measures

/** Control characters other than line breaks and tabs, which services refuse. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule finds characters that got there by mistake, and this pattern exists to match them.
const controls = /[\0-\x08\x0b-\x1f\x7f]/g

/** Keeps what every service accepts: no unpaired surrogates and no control characters. */
const wellFormed = (text: string) => text.toWellFormed().replace(controls, '')

export const toPlain = ({ title, paragraphs, link }: EmailText): Plain => ({
  title: wellFormed(title).replace(/\s+/g, ' ').trim(),
  text: wellFormed(paragraphs.join('\n\n')),
  ...(link && { link: { label: wellFormed(link.label), url: link.url } }),
})

/** Shortens a text to the limit, at the border of a character. */
export const cut = (text: string, max: number, unit: Unit): string => {
  const measure = measures[unit]
  return measure(text) <= max ? text : longest(text, shorter => measure(shorter) <= max)
}

/**
 * Renders a message so that the result keeps the limit. It shortens the text, then the title, before they are escaped and
 * marked up, so that no cut is within a tag or an escape.
 */
export const fit = (
  plain: Plain,
  max: number,
  unit: Unit,
  render: (plain: Plain) => string,
): string => {
  const fits = (each: Plain) => measures[unit](render(each)) <= max
  if (fits(plain)) return render(plain)
  const bare = { ...plain, text: '' }
  if (fits(bare))
    return render({ ...plain, text: longest(plain.text, text => fits({ ...plain, text })) })
  const { title } = plain
  const unlinked = { title: '', text: '' }
  const base = fits({ ...unlinked, ...(plain.link && { link: plain.link }) })
    ? { ...bare, title }
    : { title, text: '' }
  return render({ ...base, title: longest(title, each => fits({ ...base, title: each })) })
}

/** The longest beginning with an ellipsis that fits. */
const longest = (text: string, fits: (shorter: string) => boolean): string => {
  const characters = [...text]
  const shortened = (length: number) => `${characters.slice(0, length).join('')}…`
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(shortened(middle))) low = middle
    else high = middle - 1
  }
  return fits(shortened(low)) ? shortened(low) : ''
}
