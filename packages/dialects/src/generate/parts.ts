import type {
  Citation,
  Format,
  Logprob,
  MediaPart,
  Proof,
  Reported,
  TextPart,
  ThinkingPart,
  Tool,
  ToolCallPart,
  ToolChoice,
} from '../canon.ts'
import type { DialectId } from '../dialect.ts'
import { noUsage, type Usage } from '../usage.ts'
import type { Dice } from './dice.ts'
import { base64Of, nameOf, objectOf, schemaOf, wordsOf } from './words.ts'

/** Without the fields that were not made: a reader makes none of them either. */
export const defined = <Made extends object>(made: Made): Made =>
  Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as Made

export const makeText = (dice: Dice): TextPart => ({ type: 'text', text: wordsOf(dice) })

export const makeProof = (dice: Dice, by: DialectId): Proof => ({ by, text: base64Of(dice) })

export const makeThinking = (dice: Dice, by: DialectId): ThinkingPart =>
  defined({
    type: 'thinking',
    text: wordsOf(dice),
    proof: dice.maybe(() => makeProof(dice, by)),
  })

/** Its input is JSON as JSON.stringify writes it, so that dialects that carry a value do not change it. */
export const makeCall = (dice: Dice, head: string): ToolCallPart => ({
  type: 'tool-call',
  id: nameOf(dice, head),
  name: nameOf(dice),
  input: JSON.stringify(objectOf(dice)),
})

export const makeImage = (dice: Dice): MediaPart =>
  dice.chance(2)
    ? { type: 'media', mime: 'image/*', url: `https://media.example/${nameOf(dice)}.png` }
    : {
        type: 'media',
        mime: dice.pick(['image/png', 'image/jpeg', 'image/webp']),
        base64: base64Of(dice),
      }

export const makeCitation = (dice: Dice, end: number): Citation =>
  defined({
    url: `https://source.example/${nameOf(dice)}`,
    title: wordsOf(dice, 3),
    start: 0,
    end,
  })

export const makeLogprobs = (dice: Dice): Logprob[] =>
  dice.list(1, 3, () => ({
    ...oneLogprob(dice),
    top: dice.list(0, 2, () => oneLogprob(dice)),
  }))

const oneLogprob = (dice: Dice) => {
  const token = wordsOf(dice, 1)
  return { token, logprob: 0 - dice.upTo(1_000) / 128, bytes: [...Buffer.from(token)] }
}

/** Only the classes that the dialect can tell. Some of the time the vendor says nothing. */
export const makeReported = (
  dice: Dice,
  classes: readonly Exclude<keyof Usage, 'tools'>[],
): Reported | undefined =>
  dice.chance(5)
    ? undefined
    : {
        usage: {
          ...noUsage(),
          ...Object.fromEntries(classes.map(each => [each, dice.upTo(5_000)])),
        },
      }

export const makeTool = (dice: Dice): Tool =>
  defined({
    type: 'function',
    name: nameOf(dice),
    description: dice.maybe(() => wordsOf(dice)),
    schema: schemaOf(dice),
    strict: dice.maybe(() => dice.chance(2)),
  })

/** Among the tools there are; undefined where there are none. */
export const makeToolChoice = (
  dice: Dice,
  tools: readonly Tool[] | undefined,
): ToolChoice | undefined => {
  const named = tools?.find(tool => tool.type === 'function')
  if (!named) return undefined
  return dice.pick<ToolChoice>([
    { type: 'auto' },
    { type: 'none' },
    { type: 'required' },
    { type: 'tool', name: named.name },
  ])
}

export const makeSchemaFormat = (dice: Dice): Format => ({ type: 'schema', schema: schemaOf(dice) })
