import { isDeepStrictEqual } from 'node:util'
import type { Asks, Piece, Refusal, Tool, Turn } from './facts.ts'

/** What vendors may be told unasked: one of them wants a limit in every request. */
const unasked = new Set<string>(['outputMax'])

/** Sentences on where what the vendor was asked differs from what should have arrived. */
export const compareAsked = (wanted: Asks, got: Asks): string[] => {
  const facts: Record<string, unknown> = wanted
  const seen: Record<string, unknown> = { ...got, turns: joined(got.turns) }
  const names = new Set([...Object.keys(facts), ...Object.keys(seen)])
  return [...names].flatMap(name => {
    if (facts[name] === undefined && unasked.has(name)) return []
    const expected = name === 'turns' ? joined(wanted.turns) : loosened(name, facts[name])
    return same(expected, loosened(name, seen[name]))
      ? []
      : [differs(`asked ${name}`, expected, seen[name])]
  })
}

/** A schema that need not be kept is one of which nothing is said: dialects have different defaults. */
const loosened = (name: string, value: unknown): unknown =>
  name !== 'tools' || !Array.isArray(value)
    ? value
    : (value as Tool[]).map(tool => {
        if ('server' in tool || tool.strict !== false) return tool
        const { strict: _, ...rest } = tool
        return rest
      })

/** The same of an answer: what the feature does not speak of is not compared. */
export const compareHeard = (wanted: object, got: object): string[] => {
  const seen = got as Record<string, unknown>
  return Object.entries(wanted).flatMap(([name, expected]) => {
    if (name === 'refusal') return compareRefusal(expected, seen.refusal as Refusal | undefined)
    const value = name === 'pieces' ? joinedPieces(seen.pieces as Piece[] | undefined) : seen[name]
    const facts = name === 'pieces' ? joinedPieces(expected) : expected
    return same(facts, value) ? [] : [differs(`heard ${name}`, facts, value)]
  })
}

/** The status is each dialect's own; what it means, the words and the time to wait are not. */
const compareRefusal = (wanted: Refusal | undefined, got: Refusal | undefined): string[] => {
  if (!wanted || !got) return wanted === got ? [] : [differs('heard refusal', wanted, got)]
  const isSame =
    wanted.kind === got.kind &&
    got.message.includes(wanted.message) &&
    wanted.retryAfter === got.retryAfter
  return isSame ? [] : [differs('heard refusal', wanted, got)]
}

const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other)

const differs = (what: string, wanted: unknown, got: unknown): string =>
  `${what}: ${short(got)} in place of ${short(wanted)}`

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 600)

const joined = (turns: readonly Turn[]): Turn[] =>
  turns.map(turn => ({ ...turn, pieces: joinedPieces(turn.pieces) ?? [] }))

/** How a text is cut into parts means nothing, unless a part has a mark of its own. */
const joinedPieces = (pieces: readonly Piece[] | undefined): Piece[] | undefined =>
  pieces?.reduce<Piece[]>((list, piece) => {
    const last = list.at(-1)
    if (last && isPlain(last) && isPlain(piece))
      list[list.length - 1] = { text: last.text + piece.text }
    else if (!isPlain(piece) || piece.text !== '') list.push(piece)
    return list
  }, [])

const isPlain = (piece: Piece): piece is { text: string } =>
  'text' in piece && Object.keys(piece).length === 1
