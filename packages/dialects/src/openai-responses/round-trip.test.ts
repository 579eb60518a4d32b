import fc, { type Arbitrary } from 'fast-check'
import type {
  ChatAnswer,
  ChatRequest,
  Choice,
  Message,
  Part,
  ReportedUsage,
  Tool,
  ToolCallPart,
} from '../canon.ts'
import { testRoundTrips } from '../dialect-suite.ts'
import {
  citation,
  citing,
  customCallPart,
  functionTool,
  imagePart,
  logprobs,
  redactedPart,
  reportedUsage,
  schemaFormat,
  textPart,
  thinkingPart,
  toolCallPart,
  toolsAndChoice,
} from '../generate/parts.ts'
import {
  base64,
  defined,
  jsonObject,
  list,
  maybe,
  name,
  record,
  sometimes,
  text,
} from '../generate/values.ts'
import { openaiResponses } from './index.ts'

const dialect = 'openai-responses' as const

const itemFields = (item: object) => ({ dialect, fields: { item } }) as const

const answer = fc
  .tuple(textPart(), sometimes(6, fc.constant(true as const)), maybe(name('msg_')))
  .map(([part, refusal, id]) =>
    defined({ ...part, refusal, unknownFields: id === undefined ? id : itemFields({ id }) }),
  )

/** Refusals have neither citations nor logprobs. */
const annotatedAnswer: Arbitrary<Part> = fc
  .tuple(answer, maybe(list(1, 2, citation())), sometimes(4, logprobs()))
  .map(([part, citations, logprobs]) =>
    part.refusal ? part : defined({ ...citing(part, citations), logprobs }),
  )

const opaque: Arbitrary<Part> = record(
  { status: 'completed' },
  {
    id: name('ws_'),
    type: fc.constantFrom('web_search_call', 'mcp_call', 'something_new'),
    action: jsonObject(),
  },
).map(value => ({ type: 'opaque', dialect, value }))

const thought: Arbitrary<Part> = fc.oneof<fc.WeightedArbitrary<Part>[]>(
  { weight: 1, arbitrary: redactedPart(dialect, 'anthropic', 'gemini') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(thinkingPart(dialect), fc.boolean(), maybe(name('rs_')))
      .map(([part, hasFields, id]) =>
        hasFields
          ? {
              ...part,
              unknownFields: {
                dialect,
                fields: defined({ item: id === undefined ? id : { id }, of: 'content' }),
              },
            }
          : part,
      ),
  },
)

const toolCall: Arbitrary<ToolCallPart> = fc.oneof<fc.WeightedArbitrary<ToolCallPart>[]>(
  { weight: 1, arbitrary: customCallPart('call_') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        toolCallPart('call_'),
        maybe(record({}, { id: name('fc_'), namespace: name() }).map(itemFields)),
      )
      .map(([call, unknownFields]) => defined({ ...call, unknownFields })),
  },
)

const generatedImage: Arbitrary<Part> = record(
  { type: 'media', mime: 'image/webp' },
  {
    base64: base64(),
    unknownFields: record(
      { output_format: 'webp', kind: 'image_generation_call' },
      { id: name('ig_'), revised_prompt: text() },
    ).map(itemFields),
  },
)

/** No adjacent thoughts, because they would be two pieces of one item. */
const parts = (...kinds: Arbitrary<Part>[]): Arbitrary<Part[]> =>
  list(0, 3, fc.oneof(...kinds)).map(generated =>
    generated.filter(
      (part, at) => part.type !== 'thinking' || generated[at - 1]?.type !== 'thinking',
    ),
  )

const choice: Arbitrary<Choice> = fc
  .tuple(
    parts(annotatedAnswer, annotatedAnswer, thought, toolCall, opaque, generatedImage),
    fc.constantFrom('stop', 'length', 'filter'),
  )
  .map(([parts, reason]) => {
    const hasCall = parts.some(part => part.type === 'tool-call')
    return { parts, finish: { reason: hasCall && reason === 'stop' ? 'tools' : reason } }
  })

/** Adds the tool calls that are sold by the call, which decoding counts from the items. */
const withToolCalls = (
  reported: ReportedUsage | undefined,
  parts: readonly Part[],
): ReportedUsage | undefined => {
  if (typeof reported?.usage !== 'object') return reported
  const searches = parts.filter(
    part => part.type === 'opaque' && (part.value as { type: string }).type === 'web_search_call',
  ).length
  const images = parts.filter(part => part.type === 'media').length
  const tools = {
    ...(searches > 0 ? { web_search: searches } : {}),
    ...(images > 0 ? { image_generation: images } : {}),
  }
  return { usage: { ...reported.usage, tools } }
}

const answers: Arbitrary<ChatAnswer> = fc
  .tuple(
    choice,
    reportedUsage(...(['input', 'cacheRead', 'cacheWrite5m', 'output', 'reasoning'] as const)),
    record(
      {},
      {
        id: name('resp_'),
        model: name(),
        createdAt: fc.nat(2_000_000_000),
        tier: maybe(fc.constantFrom('default', 'flex', 'priority')),
        unknownFields: maybe(
          fc.tuple(name('resp_'), jsonObject()).map(([previous_response_id, moderation]) => ({
            dialect,
            fields: { echo: { previous_response_id }, moderation },
          })),
        ),
      },
    ),
  )
  .map(([choice, reported, head]) =>
    defined({
      ...head,
      choices: [choice],
      reportedUsage: withToolCalls(reported, choice.parts),
    }),
  )

const userPart: Arbitrary<Part> = fc.oneof<Arbitrary<Part>[]>(
  textPart(),
  fc
    .tuple(imagePart(), maybe(fc.constantFrom('low', 'high')))
    .map(([image, detail]) => defined({ ...image, detail })),
  record({ type: 'media', mime: 'application/pdf' }, { base64: base64(), name: name() }),
  record({ type: 'media', mime: 'audio/wav' }, { base64: base64() }),
  record({ type: 'media', mime: 'image/*' }, { file: name('file-') }),
  jsonObject().map(of => ({ type: 'opaque', dialect, value: { type: 'new_content', of } })),
)

const callWithResult = fc.tuple(toolCall, fc.tuple(textPart(), list(0, 1, userPart)))

const turn: Arbitrary<Message[]> = fc
  .tuple(list(1, 3, userPart), parts(answer, opaque, generatedImage), list(0, 2, callWithResult))
  .map(([params, history, calls]): Message[] => {
    const answered = [...history, ...calls.map(([call]) => call)]
    const results = calls.map(
      ([call, [first, others]]): Part => ({
        type: 'tool-result',
        id: call.id,
        parts: [first, ...others],
        ...(call.custom ? { custom: true } : {}),
      }),
    )
    return [
      { role: 'user', parts: params },
      ...(answered.length > 0 ? [{ role: 'assistant' as const, parts: answered }] : []),
      ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
    ]
  })

const messages: Arbitrary<Message[]> = fc
  .tuple(maybe(textPart()), maybe(textPart()), list(1, 3, turn))
  .map(([system, developer, turns]): Message[] => [
    ...(system ? [{ role: 'system' as const, parts: [system] }] : []),
    ...(developer ? [{ role: 'developer' as const, parts: [developer] }] : []),
    ...turns.flat(),
  ])

const tool: Arbitrary<Tool> = fc.oneof<Arbitrary<Tool>[]>(
  functionTool().map(tool => ({ strict: false, ...tool })),
  record({ type: 'custom', format: { type: 'text' } }, { name: name(), description: text() }),
  fc.constant({ type: 'opaque', dialect, value: { type: 'web_search', filters: {} } } as const),
)

const format = fc.oneof<Arbitrary<NonNullable<ChatRequest['format']>>[]>(
  fc.constantFrom({ type: 'text' } as const, { type: 'json' } as const),
  fc
    .tuple(schemaFormat(), name(), fc.boolean())
    .map(([schema, name, strict]) => ({ ...schema, name, strict })),
)

const tenths = (max: number) => fc.nat(max).map(number => number / 10)

const unknownRequestFields = fc
  .tuple(name('resp_'), jsonObject())
  .map(([previous_response_id, unknown]) => ({
    dialect,
    fields: {
      include: ['reasoning.encrypted_content'],
      previous_response_id,
      background: true,
      truncation: 'auto',
      unknown,
    },
  }))

const requests: Arbitrary<ChatRequest> = fc
  .tuple(
    toolsAndChoice(maybe(list(1, 3, tool))),
    record(
      {},
      {
        model: name(),
        messages,
        stream: maybe(fc.boolean()),
        parallelTools: maybe(fc.boolean()),
        outputMax: maybe(fc.nat(9_000)),
        temperature: maybe(tenths(20)),
        topP: maybe(tenths(10)),
        logprobs: maybe(record({}, { top: fc.nat(20) })),
        format: maybe(format),
        reasoning: maybe(record({ summary: 'auto' }, { effort: fc.constantFrom('low', 'xhigh') })),
        verbosity: maybe(fc.constant('low')),
        metadata: maybe(fc.tuple(name(), text()).map(([key, value]) => ({ [key]: value }))),
        user: maybe(name()),
        safetyId: maybe(name()),
        tier: maybe(fc.constant('flex')),
        store: maybe(fc.boolean()),
        cacheKey: maybe(name()),
        cacheRetention: maybe(fc.constant('24h')),
        unknownFields: maybe(unknownRequestFields),
      },
    ),
  )
  .map(([tools, request]) => defined({ ...request, ...tools }))

testRoundTrips(openaiResponses, { requests, answers })
