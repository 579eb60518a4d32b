import type { Json, Wire } from './conversation.ts'

/** Marks of a prompt cache are no part of what the model reads. */
const withoutMarks = (value: Json): Json =>
  JSON.stringify(value ?? null, (key, each) => {
    if (key === 'cache_control') return undefined
    return Array.isArray(each) ? each.filter(one => one?.cachePoint === undefined) : each
  })

const isInstruction = ({ role }: Json): boolean => role === 'system' || role === 'developer'

/** Tools, system prompt and messages in this order, as chat templates write them. */
const partsOf: Record<Wire, (body: Json) => [tools: Json, system: Json, messages: Json]> = {
  chat: ({ tools, messages }) => {
    const start = messages.findIndex((each: Json) => !isInstruction(each))
    return [tools, messages.slice(0, start), messages.slice(start)]
  },
  responses: ({ tools, instructions, input }) => [tools, instructions, input],
  anthropic: ({ tools, system, messages }) => [tools, system, messages],
  invoke: ({ tools, system, messages }) => [tools, system, messages],
  gemini: ({ tools, systemInstruction, contents }) => [tools, systemInstruction, contents],
  converse: ({ toolConfig, system, messages }) => [toolConfig, system, messages],
}

export const renderPrompt = (wire: Wire, body: Json): string =>
  partsOf[wire](body).map(withoutMarks).join('\n').replace(/\]$/, '')

export const commonPrefix = (one: string, other: string): number => {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at
  return length
}

/** Tokens of four characters. */
export const tokensOf = (length: number): number => Math.floor(length / 4)

/** A cache of prefixes, as vLLM has it: a prompt reads what it has in common with an earlier one. */
export const prefixCache = () => {
  const prompts: string[] = []
  return {
    count: (prompt: string): { input: number; cached: number } => {
      const shared = Math.max(0, ...prompts.map(each => commonPrefix(each, prompt)))
      prompts.push(prompt)
      return { input: tokensOf(prompt.length), cached: tokensOf(shared) }
    },
  }
}
