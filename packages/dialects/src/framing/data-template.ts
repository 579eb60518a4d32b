/** Of the data of a frame, as text, what `frame-template.ts` knows of its bytes. */
export type DataTemplate = {
  /**
   * What these data say where the ones right before said another text, and are the same beside it. '' where they are not:
   * then the pattern is forgotten, since what was heard before other data may not be said again behind them.
   */
  textIn(data: string): string
  /** Takes data in which no text was found as the pattern: `text` is what stands at `key`, and is all that was heard. */
  learn(data: string, key: string, text: string): void
}

/** What ends a JSON string, or does not stand for itself in one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string, so a text with one is not taken for one.
const special = /["\\\u0000-\u001f]/

/**
 * For decoders: where the data are the pattern but for one text without escapes, so is their JSON, and it need not be
 * parsed. Only right where hearing the same data twice is hearing them once, but for the text.
 */
export const dataTemplate = (): DataTemplate => {
  let head = ''
  let tail = ''

  const match = (data: string): string => {
    const end = data.length - tail.length
    if (head === '' || end < head.length) return ''
    // Slices are compared by words, `startsWith` goes letter by letter.
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
    learn: (data, key, text) => {
      const name = `"${key}":`
      const at = data.indexOf(name)
      // A quote that is not escaped begins or ends a string: twice, and one of them may belong to something else.
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
