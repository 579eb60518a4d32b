import type { ParsedRequest } from '@hub/dialects'

const headFields = ['system', 'systemInstruction', 'system_instruction', 'instructions', 'tools']
const turnFields = ['messages', 'input', 'contents']

/** What all calls of a conversation begin with: instructions, tools and turns up to the first of the user. */
export const conversationStart = ({ body, fieldRanges }: ParsedRequest): string => {
  const textOf = (name: string): string => {
    const range = fieldRanges.get(name)
    return range ? body.toString('utf8', range.start, range.end) : ''
  }
  const turns: unknown = JSON.parse(turnFields.map(textOf).find(each => each !== '') ?? 'null')
  const first = Array.isArray(turns) ? turns.findIndex(each => each?.role === 'user') : -1
  const opening = Array.isArray(turns) ? turns.slice(0, first + 1) : turns
  return JSON.stringify([...headFields.map(textOf), opening])
}
