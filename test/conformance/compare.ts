import { isDeepStrictEqual } from 'node:util'
import type { NeutralRequest, Piece, Refusal, Tool, Turn } from './neutral.ts'

/** Fields that a vendor may get unasked: Anthropic requires a limit in every request. */
const additions = new Set<string>(['outputMax'])

/** One sentence for each difference between the expected and the actual upstream request. */
export const compareRequest = (expected: NeutralRequest, got: NeutralRequest): string[] => {
  const facts: Record<string, unknown> = expected
  const seen: Record<string, unknown> = { ...got, turns: joined(got.turns) }
  const names = new Set([...Object.keys(facts), ...Object.keys(seen)])
  return [...names].flatMap(name => {
    if (facts[name] === undefined && additions.has(name)) return []
    const promised = name === 'turns' ? joined(expected.turns) : loosened(name, facts[name])
    return same(promised, loosened(name, seen[name]))
      ? []
      : [differs(`upstream request ${name}`, promised, seen[name])]
  })
}

/** `strict: false` equals an absent field: dialects have different defaults. */
const loosened = (name: string, value: unknown): unknown =>
  name !== 'tools' || !Array.isArray(value)
    ? value
    : (value as Tool[]).map(tool => {
        if ('server' in tool || tool.strict !== false) return tool
        const { strict: _, ...rest } = tool
        return rest
      })

/** Compares only the fields that the feature defines. Returns one sentence for each difference. */
export const compareReceived = (expected: object, got: object): string[] => {
  const seen = got as Record<string, unknown>
  return Object.entries(expected).flatMap(([name, promised]) => {
    if (name === 'refusal') return compareRefusal(promised, seen.refusal as Refusal | undefined)
    const value = name === 'pieces' ? joinedPieces(seen.pieces as Piece[] | undefined) : seen[name]
    const facts = name === 'pieces' ? joinedPieces(promised) : promised
    return same(facts, value) ? [] : [differs(`received ${name}`, facts, value)]
  })
}

/** The status is each dialect's own; what it means, the words and the time to wait are not. */
const compareRefusal = (expected: Refusal | undefined, got: Refusal | undefined): string[] => {
  if (!expected || !got) return expected === got ? [] : [differs('received refusal', expected, got)]
  const isSame =
    expected.kind === got.kind &&
    got.message.includes(expected.message) &&
    expected.retryAfter === got.retryAfter
  return isSame ? [] : [differs('received refusal', expected, got)]
}

const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other)

const differs = (what: string, expected: unknown, got: unknown): string =>
  `${what}: ${short(got)} in place of ${short(expected)}`

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
