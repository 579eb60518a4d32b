/** How to behave for one request: words and their arguments, `out=5;reset=3`. */
export type Script = ReadonlyMap<string, string>

/** The script after the first colon of a model's name, and the one that a test added for the whole channel. */
export const readScript = (model: string, added = ''): Script => {
  const colon = model.indexOf(':')
  const words = `${colon < 0 ? '' : model.slice(colon + 1)};${added}`.split(';').filter(Boolean)
  return new Map(
    words.map(word => {
      const [name = '', ...rest] = word.split('=')
      return [name, rest.join('=')] as const
    }),
  )
}

export const numberOf = (script: Script, word: string, otherwise: number): number => {
  const text = script.get(word)
  return text === undefined || text === '' ? otherwise : Number(text)
}
