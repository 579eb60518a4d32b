import type { ChatRequest, Message, Part } from '../canon.ts'
import type { Dice } from '../generate/dice.ts'
import {
  defined,
  makeCall,
  makeImage,
  makeProof,
  makeText,
  makeThinking,
  makeTool,
  makeToolChoice,
} from '../generate/parts.ts'
import { base64Of, nameOf, wordsOf } from '../generate/words.ts'

/** What can be said in this dialect: for its laws. */
export const makeRequest = (dice: Dice): ChatRequest => {
  const said = (): Part => {
    const part = dice.pick<() => Part>([
      () => makeText(dice),
      () => makeImage(dice),
      () => ({
        type: 'media',
        mime: dice.pick(['application/pdf', 'text/csv', 'video/mp4', 'audio/wav', 'text/x-c']),
        base64: base64Of(dice),
        name: wordsOf(dice, 2),
      }),
      () => ({ type: 'tool-result', id: nameOf(dice), parts: [makeText(dice), makeImage(dice)] }),
    ])()
    return dice.chance(4) ? { ...part, cache: dice.pick([{}, { ttl: '1h' }]) } : part
  }
  const answered = (): Part =>
    dice.pick<() => Part>([
      () => makeText(dice),
      () => makeThinking(dice, 'converse'),
      () => ({
        type: 'thinking',
        text: '',
        redacted: true,
        signature: makeProof(dice, 'converse'),
      }),
      () => makeCall(dice, 'call_'),
    ])()
  const messages: Message[] = dice.list(1, 5, () =>
    dice.chance(2)
      ? { role: 'assistant', parts: dice.list(1, 3, answered) }
      : { role: dice.pick(['user', 'system', 'developer', 'tool']), parts: dice.list(1, 3, said) },
  )
  const tools = dice.maybe(() => dice.list(1, 3, () => makeTool(dice)))
  return defined({
    model: dice.pick(['us.amazon.nova-2-lite-v1:0', 'qwen.qwen3-x', 'arn:x', 'openai.gpt-oss-x']),
    messages,
    tools,
    toolChoice: dice.maybe(() => makeToolChoice(dice, tools)),
    outputMax: dice.maybe(() => dice.upTo(9_999)),
    temperature: dice.maybe(() => dice.upTo(8) / 4),
    topP: dice.maybe(() => dice.upTo(4) / 4),
    topK: dice.maybe(() => dice.upTo(99)),
    stop: dice.maybe(() => dice.list(1, 2, () => wordsOf(dice, 2))),
    reasoning: dice.maybe(() => ({ effort: dice.pick(['low', 'high', 'none']) })),
    format: dice.maybe(() => ({ type: 'schema' as const, schema: { type: 'object' } })),
    tier: dice.maybe(() => dice.pick(['default', 'flex', 'priority'])),
    metadata: dice.maybe(() => ({ [nameOf(dice)]: nameOf(dice) })),
    cache: dice.maybe(() => ({})),
  })
}
