/** The counterpart of `frame-template.ts` for decoders: it compares the data of frames as text. */
export type DataTemplate = {
  /**
   * Returns the text of data that differ from the template in that text only. Returns '' for other data and forgets the
   * template, because data equal to it may mean something else after other data.
   */
  textIn(data: string): string
  /** Makes data the template. `text` is the value of `key`, and everything that decoding the data produced. */
  remember(data: string, key: string, text: string): void
}

/** Ends a JSON string, or stands for another character in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings, so a text with one is no match.
const special = /["\\\u0000-\u001f]/

/**
 * Saves parsing: where data equal the template except for one text without escapes, so does their JSON. This requires
 * that decoding equal data twice has the same effect as once, apart from the text.
 */
export const dataTemplate = (): DataTemplate => {
  let head = ''
  let tail = ''

  const match = (data: string): string => {
    const end = data.length - tail.length
    if (head === '' || end < head.length) return ''
    // Comparing slices is faster than `startsWith`, which compares single characters.
    if (data.slice(0, head.length) !== head || data.slice(end) !== tail) return ''
    const text = data.slice(head.length, end)
    return special.test(text) ? '' : text
  }

  return {
    textIn: data => {
      const text = match(data)
      if (text === '') head = ''
      return text
    },
    remember: (data, key, text) => {
      const name = `"${key}":`
      const at = data.indexOf(name)
      // If the name occurs twice, one occurrence may be inside another object.
      if (text === '' || at < 0 || data.indexOf(name, at + 1) >= 0) return
      const start = data.indexOf('"', at + name.length) + 1
      const end = start + text.length
      if (data.slice(at + name.length, start - 1).trim() !== '' || special.test(text)) return
      if (data.slice(start, end) !== text || data[end] !== '"') return
      head = data.slice(0, start)
      tail = data.slice(end)
    },
  }
}
