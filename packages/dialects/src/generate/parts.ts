import fc, { type Arbitrary } from 'fast-check'
import type {
  Citation,
  Logprob,
  MediaPart,
  ReportedUsage,
  ResponseFormat,
  Signature,
  TextPart,
  ThinkingPart,
  Tool,
  ToolCallPart,
  ToolChoice,
} from '../canon.ts'
import type { DialectId } from '../dialect-id.ts'
import { noUsage, type TokenClass } from '../usage.ts'
import { base64, jsonObject, jsonSchema, list, maybe, name, record, text } from './values.ts'

export const textPart = (): Arbitrary<TextPart> => record({ type: 'text' }, { text: text() })

export const signature = (...dialects: [DialectId, ...DialectId[]]): Arbitrary<Signature> =>
  record({}, { dialect: fc.constantFrom(...dialects), text: base64() })

export const thinkingPart = (dialect: DialectId): Arbitrary<ThinkingPart> =>
  record({ type: 'thinking' }, { text: text(), signature: maybe(signature(dialect)) })

/** A thought whose text the vendor hides. */
export const redactedPart = (
  ...dialects: [DialectId, ...DialectId[]]
): Arbitrary<ThinkingPart & { signature: Signature }> =>
  record({ type: 'thinking', text: '', redacted: true }, { signature: signature(...dialects) })

/** The input is JSON as JSON.stringify writes it, so dialects that carry a value do not change it. */
export const toolCallPart = (idPrefix: string): Arbitrary<ToolCallPart> =>
  record(
    { type: 'tool-call' },
    {
      id: name(idPrefix),
      name: name(),
      input: jsonObject().map(input => JSON.stringify(input)),
    },
  )

export const customCallPart = (idPrefix: string): Arbitrary<ToolCallPart> =>
  record({ type: 'tool-call', custom: true }, { id: name(idPrefix), name: name(), input: text() })

export const imagePart = (): Arbitrary<MediaPart> =>
  fc.oneof(
    record(
      { type: 'media', mime: 'image/*' },
      { url: name().map(file => `https://media.example/${file}.png`) },
    ),
    record(
      { type: 'media' },
      { mime: fc.constantFrom('image/png', 'image/jpeg', 'image/webp'), base64: base64() },
    ),
  )

/** Citations without offsets. */
export const citation = (): Arbitrary<Citation> =>
  record({}, { url: name().map(page => `https://source.example/${page}`), title: text(3) })

/** Makes the citations cover the whole text of a part. */
export const citing = (part: TextPart, citations: readonly Citation[] | undefined): TextPart =>
  citations
    ? {
        ...part,
        citations: citations.map(each => ({ ...each, start: 0, end: part.text.length })),
      }
    : part

const logprob = (): Arbitrary<Logprob> =>
  fc.tuple(text(1), fc.nat(1_000)).map(([token, negative]) => ({
    token,
    logprob: 0 - negative / 128,
    bytes: [...Buffer.from(token)],
  }))

export const logprobs = (): Arbitrary<Logprob[]> =>
  list(
    1,
    3,
    fc.tuple(logprob(), list(0, 2, logprob())).map(([chosen, top]) => ({ ...chosen, top })),
  )

/** Usage in the classes that the dialect reports; undefined in a fifth of the cases. */
export const reportedUsage = (...classes: TokenClass[]): Arbitrary<ReportedUsage | undefined> => {
  // A usage of no tokens reports nothing.
  const figures = Object.fromEntries(
    classes.map(each => [each, fc.integer({ min: 1, max: 5_000 })]),
  )
  const reported = record({}, figures).map(counts => ({
    usage: { ...noUsage(), input: 1, ...counts },
  }))
  return fc.oneof(
    { weight: 4, arbitrary: reported },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

export const functionTool = (): Arbitrary<Extract<Tool, { type: 'function' }>> =>
  record(
    { type: 'function' },
    {
      name: name(),
      description: maybe(text()),
      schema: jsonSchema(),
      strict: maybe(fc.boolean()),
    },
  )

/** Tools, and a choice among them; no choice without a function. */
export const toolsAndChoice = (
  tools: Arbitrary<Tool[] | undefined>,
): Arbitrary<{ tools: Tool[] | undefined; toolChoice: ToolChoice | undefined }> =>
  fc
    .tuple(tools, maybe(fc.constantFrom('auto', 'none', 'required', 'tool')))
    .map(([offered, type]) => {
      const named = offered?.find(tool => tool.type === 'function')
      if (!named || type === undefined) return { tools: offered, toolChoice: undefined }
      const toolChoice = type === 'tool' ? ({ type, name: named.name } as const) : { type }
      return { tools: offered, toolChoice }
    })

export const schemaFormat = (): Arbitrary<Extract<ResponseFormat, { type: 'schema' }>> =>
  record({ type: 'schema' }, { schema: jsonSchema() })

/** Mostly one choice, sometimes up to three. */
export const oneToThree = <Item>(item: Arbitrary<Item>): Arbitrary<Item[]> =>
  fc.oneof({ weight: 3, arbitrary: list(1, 1, item) }, { weight: 1, arbitrary: list(1, 3, item) })
