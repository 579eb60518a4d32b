import fc, { type Arbitrary } from 'fast-check'
import type {
  CacheControl,
  ChatAnswer,
  ChatRequest,
  Choice,
  Finish,
  Message,
  Part,
} from '../canon.ts'
import { testMalformedInput, testRoundTrips } from '../dialect-suite.ts'
import {
  functionTool,
  redactedPart,
  reportedUsage,
  schemaFormat,
  signature,
  textPart,
  toolCallPart,
} from '../generate/parts.ts'
import {
  base64,
  defined,
  json,
  jsonObject,
  list,
  maybe,
  name,
  record,
  sometimes,
  text,
} from '../generate/values.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { withoutTrailingBlanks } from '../vendor-rules/trailing-blanks.ts'
import { anthropic } from './index.ts'

const dialect = 'anthropic' as const
const signers = [dialect, 'openai-responses', 'openai-chat'] as const

const thinking = (...dialects: [typeof dialect, ...(typeof signers)[number][]]): Arbitrary<Part> =>
  fc.oneof(
    { weight: 1, arbitrary: redactedPart(...dialects) },
    {
      weight: 3,
      arbitrary: record({ type: 'thinking' }, { text: text(), signature: signature(...dialects) }),
    },
  )

const source = record(
  {},
  { url: name().map(page => `https://source.example/${page}`), title: text(2), quote: text() },
)
const citedText: Arbitrary<Part> = record(
  { type: 'text' },
  { text: text(), citations: sometimes(4, list(1, 2, source)) },
)

const serverToolUse = record(
  { type: 'opaque', dialect },
  {
    value: record({ type: 'server_tool_use', name: 'web_search' }, { id: name('srvtoolu_') }),
    streamedText: text().map(query => JSON.stringify({ query })),
  },
)
const searchResult = record(
  { type: 'opaque', dialect },
  { value: record({ type: 'web_search_tool_result' }, { tool_use_id: name(), content: json() }) },
)
const compaction = record(
  { type: 'opaque', dialect, value: { type: 'compaction' } },
  { streamedText: text() },
)
const opaque: Arbitrary<Part> = fc.oneof(serverToolUse, searchResult, compaction)

const toolUse: Arbitrary<Part> = fc
  .tuple(toolCallPart('toolu_'), sometimes(4, jsonObject()))
  .map(([call, caller]) =>
    caller ? { ...call, unknownFields: { dialect, fields: { caller } } } : call,
  )

const answerParts = fc.oneof(thinking(...signers), citedText, toolUse, opaque)
const requestParts = fc.oneof(thinking(dialect), textPart(), toolUse, opaque)

const finish: Arbitrary<Finish> = fc.oneof(
  {
    weight: 6,
    arbitrary: record(
      {},
      {
        reason: fc.constantFrom(
          ...(['stop', 'length', 'tools', 'pause', 'refusal', 'context-full'] as const),
        ),
      },
    ),
  },
  { weight: 1, arbitrary: record({ reason: 'stop-sequence' }, { sequence: text(1) }) },
  {
    weight: 1,
    arbitrary: name().map(stop_reason => ({
      reason: 'other' as const,
      unknownFields: { dialect, fields: { stop_reason } } as const,
    })),
  },
)

/** An answer with calls that is over ends with them. */
const endedByCalls = (choice: Choice): Choice =>
  choice.finish?.reason === 'stop' && choice.parts.some(({ type }) => type === 'tool-call')
    ? { ...choice, finish: { reason: 'tools' } }
    : choice

const zeroUsage = anthropic.decodeUsage({ input_tokens: 0, output_tokens: 0 })

const answers: Arbitrary<ChatAnswer> = record(
  {},
  {
    id: name('msg_'),
    model: name('claude-x'),
    tier: maybe(fc.constantFrom('default', 'priority', 'batch')),
    choices: record(
      {},
      {
        parts: fc.oneof(
          { weight: 7, arbitrary: list(1, 5, answerParts) },
          { weight: 1, arbitrary: fc.constant<Part[]>([]) },
        ),
        finish,
      },
    ).map(choice => [endedByCalls(choice)]),
    reportedUsage: reportedUsage(
      ...(['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const),
    ).map(reported => reported ?? { usage: zeroUsage }),
    unknownFields: maybe(
      record(
        { dialect },
        {
          fields: record(
            {},
            { container: record({}, { id: name() }), context_management: maybe(jsonObject()) },
          ),
        },
      ),
    ),
  },
)

const cache: Arbitrary<CacheControl> = fc.constantFrom({}, { ttl: '5m' }, { ttl: '1h' })

const media: Arbitrary<Part> = fc.oneof(
  record({ type: 'media', mime: 'image/png' }, { base64: base64(), cache }),
  record(
    { type: 'media', mime: 'image/*' },
    { url: name().map(file => `https://media.example/${file}`) },
  ),
  record({ type: 'media', mime: 'image/*' }, { file: name('file_') }),
  record({ type: 'media', mime: 'application/pdf' }, { base64: base64(), name: name() }),
  fc.constant({ type: 'media', mime: 'application/pdf', url: 'https://media.example/a.pdf' }),
  record({ type: 'media', mime: 'text/plain' }, { text: text(), name: name() }),
  record(
    { type: 'media', mime: 'application/pdf' },
    {
      file: name('file_'),
      unknownFields: text().map(
        context => ({ dialect, fields: { citations: { enabled: true }, context } }) as const,
      ),
    },
  ),
)

const toolResult: Arbitrary<Part> = record(
  { type: 'tool-result' },
  {
    id: name('toolu_'),
    parts: list(
      0,
      2,
      fc.oneof<fc.WeightedArbitrary<Part>[]>(
        { weight: 1, arbitrary: media },
        { weight: 2, arbitrary: textPart() },
      ),
    ),
    failed: sometimes(3, fc.constant(true)),
    cache: sometimes(4, cache),
  },
)

const userPart: Arbitrary<Part> = fc.oneof(
  textPart(),
  record({ type: 'text' }, { text: text(), cache }),
  media,
  toolResult,
  record(
    { type: 'opaque', dialect },
    { value: record({ type: 'search_result', source: 'x', content: [] }, { title: text() }) },
  ),
)

const messages: Arbitrary<Message[]> = fc
  .tuple(
    maybe(record({ role: 'system' }, { parts: list(1, 3, textPart()) })),
    list(
      1,
      3,
      fc.tuple(
        record({ role: 'user' }, { parts: list(1, 4, userPart) }),
        record({ role: 'assistant' }, { parts: list(1, 5, requestParts) }),
      ),
    ),
    fc.boolean(),
  )
  .map(([system, pairs, endsWithUser]) => {
    const all: Message[] = pairs.flat()
    const turns = [...(system ? [system] : []), ...(endsWithUser ? all.slice(0, -1) : all)]
    // The vendor refuses them, so they are not sent.
    return [...withoutTrailingBlanks(turns)]
  })

const reasoning: Arbitrary<NonNullable<ChatRequest['reasoning']>> = fc.oneof(
  fc.integer({ min: 1_024, max: 10_024 }).map(budget => ({
    mode: 'enabled' as const,
    budget,
    unknownFields: {
      dialect,
      fields: { thinking: { type: 'enabled', budget_tokens: budget } },
    } as const,
  })),
  fc.constant({
    effort: 'high',
    mode: 'adaptive',
    summary: 'none',
    unknownFields: {
      dialect,
      fields: { effort: 'high', thinking: { type: 'adaptive', display: 'omitted' } },
    },
  }),
  fc.constant({
    mode: 'disabled',
    unknownFields: { dialect, fields: { thinking: { type: 'disabled' } } },
  }),
)

const webSearch = fc.nat(9).map(max_uses => ({
  type: 'opaque' as const,
  dialect,
  value: { type: 'web_search_20250305', name: 'web_search', max_uses },
}))

/** A tool choice needs tools, and the parallel option needs a choice. */
const toolFields: Arbitrary<Pick<ChatRequest, 'tools' | 'toolChoice' | 'parallelTools'>> = fc
  .tuple(
    maybe(
      fc.tuple(
        list(
          1,
          3,
          fc.tuple(functionTool(), cache).map(([tool, cache]) => ({ ...tool, cache })),
        ),
        webSearch,
      ),
    ),
    maybe(
      fc.oneof(
        fc.constantFrom({ type: 'auto' }, { type: 'none' }, { type: 'required' }),
        record({ type: 'tool' }, { name: name() }),
      ) as Arbitrary<NonNullable<ChatRequest['toolChoice']>>,
    ),
    maybe(fc.boolean()),
  )
  .map(([tools, choice, parallelTools]) => ({
    tools: tools && [...tools[0], tools[1]],
    toolChoice: tools && choice,
    parallelTools: tools && choice && choice.type !== 'none' ? parallelTools : undefined,
  }))

const hundredths = fc.nat(100).map(number => number / 100)

const requests: Arbitrary<ChatRequest> = fc
  .tuple(
    toolFields,
    record(
      {},
      {
        model: name('claude-x'),
        messages,
        stream: maybe(fc.boolean()),
        outputMax: fc.nat(10_000),
        temperature: maybe(hundredths),
        topP: maybe(hundredths),
        topK: maybe(fc.nat(100)),
        stop: maybe(list(1, 3, name())),
        format: maybe(schemaFormat()),
        reasoning: maybe(reasoning),
        user: maybe(name()),
        tier: maybe(fc.constantFrom('auto', 'standard_only')),
        cache: sometimes(4, cache),
        unknownFields: maybe(
          record(
            { dialect },
            {
              fields: record(
                {},
                {
                  context_management: jsonObject(),
                  mcp_servers: maybe(jsonObject().map(server => [server])),
                  output_config: maybe(
                    fc.constant({ task_budget: { type: 'tokens', total: 64_000 } }),
                  ),
                },
              ),
            },
          ),
        ),
      },
    ),
  )
  .map(([tools, request]) => defined({ ...request, ...tools }))

testRoundTrips(anthropic, { requests, answers })

testMalformedInput(anthropic, [openaiChat, anthropic], { requests, answers })
