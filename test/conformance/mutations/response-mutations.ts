/** Numbers from 0 up to 1, in an order that a seed decides. */
export type Random = () => number

/** Undefined: there is nothing of the kind in this answer. */
type Kind = (answer: string, random: Random) => string | undefined

const below = (count: number, random: Random): number => Math.floor(random() * count)

/** Frames with the blank line behind them; of a whole answer, none. */
const framesIn = (answer: string): string[] =>
  /^(?:event|data|:)/.test(answer) ? answer.split(/(?<=\n\n)/) : []

const withFrames =
  (change: (frames: string[], random: Random) => string[] | undefined): Kind =>
  (answer, random) => {
    const frames = framesIn(answer)
    return frames.length > 1 ? change(frames, random)?.join('') : undefined
  }

const reordered = withFrames((frames, random) => {
  const at = below(frames.length - 1, random)
  const [one = '', other = ''] = frames.slice(at, at + 2)
  return one === other ? undefined : frames.toSpliced(at, 2, other, one)
})

const dropped = withFrames((frames, random) => frames.toSpliced(below(frames.length, random), 1))

const stopless = withFrames(frames => frames.slice(0, -1))

const doubled = withFrames((frames, random) => {
  const at = below(frames.length, random)
  return frames.toSpliced(at, 0, frames[at] ?? '')
})

/** Replaces one random match of the pattern. */
const replaced =
  (pattern: RegExp, change: (match: RegExpMatchArray) => string): Kind =>
  (answer, random) => {
    const matches = [...answer.matchAll(pattern)]
    const match = matches[below(matches.length, random)]
    if (!match) return undefined
    return (
      answer.slice(0, match.index) + change(match) + answer.slice(match.index + match[0].length)
    )
  }

const misindexed = replaced(
  /("(?:index|output_index|content_index|summary_index|sequence_number)":)(\d+)/g,
  ([, name, index]) => `${name}${Number(index) + 1}`,
)

const usageless = replaced(
  /"(?:usage|usageMetadata)":\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\},?/g,
  () => '',
)

const miscounted = replaced(
  /("[a-zA-Z_]*[tT]oken(?:s|Count)":)(\d+)/g,
  ([, name, count]) => `${name}${Number(count) + 5}`,
)

const cut: Kind = (answer, random) => answer.slice(0, below(answer.length, random))

const holed: Kind = (answer, random) => {
  const at = below(answer.length, random)
  return answer.slice(0, at) + answer.slice(at + 1 + below(8, random))
}

const misspelt: Kind = (answer, random) => {
  const at = below(answer.length, random)
  const character = answer[at] ?? ''
  if (!/[a-y0-8]/i.test(character)) return undefined
  return (
    answer.slice(0, at) + String.fromCharCode(character.charCodeAt(0) + 1) + answer.slice(at + 1)
  )
}

/** Mutations of a response, each a mistake that a faulty translation makes. */
export const kinds: Readonly<Record<string, Kind>> = {
  'two frames change places': reordered,
  'a frame is missing': dropped,
  'the last frame is missing': stopless,
  'a frame comes twice': doubled,
  'an index is another': misindexed,
  'the usage is lost': usageless,
  'a count is another': miscounted,
  'the answer ends early': cut,
  'bytes are missing': holed,
  'a letter is another': misspelt,
}
