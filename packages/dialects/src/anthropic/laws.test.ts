import type { ChatReply, ChatRequest, Message, Part } from '../canon.ts'
import { testMalformedInput, testRoundTrips } from '../dialect-suite.ts'
import type { Dice } from '../generate/dice.ts'
import {
  defined,
  makeCall,
  makeProof,
  makeReported,
  makeSchemaFormat,
  makeText,
  makeTool,
} from '../generate/parts.ts'
import { base64Of, jsonOf, nameOf, objectOf, wordsOf } from '../generate/words.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { anthropic } from './index.ts'

const dialectId = 'anthropic'
const by = ['anthropic', 'openai-responses', 'openai-chat'] as const

const makeThought = (dice: Dice, isReply: boolean): Part => {
  const signature = makeProof(dice, isReply ? dice.pick(by) : dialectId)
  return dice.chance(4)
    ? { type: 'thinking', text: '', redacted: true, signature }
    : { type: 'thinking', text: wordsOf(dice), signature }
}

const makeWords = (dice: Dice): Part =>
  defined({
    ...makeText(dice),
    citations: dice.chance(4)
      ? dice.list(1, 2, () => ({
          url: `https://source.example/${nameOf(dice)}`,
          title: wordsOf(dice, 2),
          quote: wordsOf(dice),
        }))
      : undefined,
  })

const makeOpaque = (dice: Dice): Part =>
  dice.pick<() => Part>([
    () => ({
      type: 'opaque',
      dialect: dialectId,
      value: { type: 'server_tool_use', id: nameOf(dice, 'srvtoolu_'), name: 'web_search' },
      streamedText: JSON.stringify({ query: wordsOf(dice) }),
    }),
    () => ({
      type: 'opaque',
      dialect: dialectId,
      value: { type: 'web_search_tool_result', tool_use_id: nameOf(dice), content: jsonOf(dice) },
    }),
    () => ({
      type: 'opaque',
      dialect: dialectId,
      value: { type: 'compaction' },
      streamedText: wordsOf(dice),
    }),
  ])()

const makeToolUse = (dice: Dice): Part =>
  defined({
    ...makeCall(dice, 'toolu_'),
    unknownFields: dice.chance(4)
      ? { dialect: dialectId as 'anthropic', fields: { caller: objectOf(dice) } }
      : undefined,
  })

const makeTurn = (dice: Dice, isReply: boolean): Part[] =>
  dice.list(1, 5, () =>
    dice.pick([
      () => makeThought(dice, isReply),
      () => (isReply ? makeWords(dice) : makeText(dice)),
      () => makeToolUse(dice),
      () => makeOpaque(dice),
    ])(),
  )

const makeReply = (dice: Dice): ChatReply => {
  const sequence = wordsOf(dice, 1)
  return defined({
    id: nameOf(dice, 'msg_'),
    model: nameOf(dice, 'claude-x'),
    tier: dice.maybe(() => dice.pick(['default', 'priority', 'batch'])),
    choices: [
      {
        parts: dice.chance(8) ? [] : makeTurn(dice, true),
        finish: dice.pick<NonNullable<ChatReply['choices'][number]['finish']>>([
          ...(['stop', 'length', 'tools', 'pause', 'refusal', 'context-full'] as const).map(
            reason => ({ reason }),
          ),
          { reason: 'stop-sequence', sequence },
          {
            reason: 'other',
            unknownFields: { dialect: dialectId, fields: { stop_reason: nameOf(dice) } },
          },
        ]),
      },
    ],
    reportedUsage: makeReported(dice, [
      ...(['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'] as const),
    ]) ?? { usage: anthropic.decodeUsage({ input_tokens: 0, output_tokens: 0 }) },
    unknownFields: dice.maybe(() => ({
      dialect: dialectId as 'anthropic',
      fields: defined({
        container: { id: nameOf(dice) },
        context_management: dice.maybe(() => objectOf(dice)),
      }),
    })),
  })
}

const makeMark = (dice: Dice) => dice.pick([{}, { ttl: '5m' } as const, { ttl: '1h' } as const])

const makeMedia = (dice: Dice): Part =>
  dice.pick<() => Part>([
    () => ({ type: 'media', mime: 'image/png', base64: base64Of(dice), cache: makeMark(dice) }),
    () => ({ type: 'media', mime: 'image/*', url: `https://media.example/${nameOf(dice)}` }),
    () => ({ type: 'media', mime: 'image/*', file: nameOf(dice, 'file_') }),
    () => ({ type: 'media', mime: 'application/pdf', base64: base64Of(dice), name: nameOf(dice) }),
    () => ({ type: 'media', mime: 'application/pdf', url: 'https://media.example/a.pdf' }),
    () => ({ type: 'media', mime: 'text/plain', text: wordsOf(dice), name: nameOf(dice) }),
    () => ({
      type: 'media',
      mime: 'application/pdf',
      file: nameOf(dice, 'file_'),
      unknownFields: {
        dialect: dialectId,
        fields: { citations: { enabled: true }, context: wordsOf(dice) },
      },
    }),
  ])()

const makeInput = (dice: Dice): Part =>
  dice.pick<() => Part>([
    () => makeText(dice),
    () => ({ ...makeText(dice), cache: makeMark(dice) }),
    () => makeMedia(dice),
    () =>
      defined({
        type: 'tool-result' as const,
        id: nameOf(dice, 'toolu_'),
        parts: dice.list(0, 2, () => (dice.chance(3) ? makeMedia(dice) : makeText(dice))),
        failed: dice.chance(3) ? (true as const) : undefined,
        cache: dice.chance(4) ? makeMark(dice) : undefined,
      }),
    () => ({
      type: 'opaque',
      dialect: dialectId,
      value: { type: 'search_result', source: 'x', title: wordsOf(dice), content: [] },
    }),
  ])()

const makeMessages = (dice: Dice): Message[] => [
  ...(dice.chance(2)
    ? [{ role: 'system' as const, parts: dice.list(1, 3, () => makeText(dice)) }]
    : []),
  ...dice.list(1, 6, at =>
    at % 2 === 0
      ? { role: 'user' as const, parts: dice.list(1, 4, () => makeInput(dice)) }
      : { role: 'assistant' as const, parts: makeTurn(dice, false) },
  ),
]

const makeReasoning = (dice: Dice): ChatRequest['reasoning'] => {
  const budget = 1_024 + dice.upTo(9_000)
  return dice.pick([
    () => ({
      mode: 'enabled' as const,
      budget,
      unknownFields: {
        dialect: dialectId as 'anthropic',
        fields: { thinking: { type: 'enabled', budget_tokens: budget } },
      },
    }),
    () => ({
      effort: 'high',
      mode: 'adaptive' as const,
      summary: 'none',
      unknownFields: {
        dialect: dialectId as 'anthropic',
        fields: { effort: 'high', thinking: { type: 'adaptive', display: 'omitted' } },
      },
    }),
    () => ({
      mode: 'disabled' as const,
      unknownFields: {
        dialect: dialectId as 'anthropic',
        fields: { thinking: { type: 'disabled' } },
      },
    }),
  ])()
}

const makeRequest = (dice: Dice): ChatRequest => {
  const tools = dice.maybe(() => [
    ...dice.list(1, 3, () => ({ ...makeTool(dice), cache: makeMark(dice) })),
    {
      type: 'opaque' as const,
      dialect: dialectId as 'anthropic',
      value: { type: 'web_search_20250305', name: 'web_search', max_uses: dice.upTo(9) },
    },
  ])
  const toolChoice =
    tools &&
    dice.maybe(() =>
      dice.pick<NonNullable<ChatRequest['toolChoice']>>([
        { type: 'auto' },
        { type: 'none' },
        { type: 'required' },
        { type: 'tool', name: nameOf(dice) },
      ]),
    )
  return defined({
    model: nameOf(dice, 'claude-x'),
    messages: makeMessages(dice),
    stream: dice.maybe(() => dice.chance(2)),
    tools,
    toolChoice,
    parallelTools:
      toolChoice && toolChoice.type !== 'none' ? dice.maybe(() => dice.chance(2)) : undefined,
    outputMax: dice.upTo(10_000),
    temperature: dice.maybe(() => dice.upTo(100) / 100),
    topP: dice.maybe(() => dice.upTo(100) / 100),
    topK: dice.maybe(() => dice.upTo(100)),
    stop: dice.maybe(() => dice.list(1, 3, () => nameOf(dice))),
    format: dice.maybe(() => makeSchemaFormat(dice)),
    reasoning: dice.maybe(() => makeReasoning(dice)),
    user: dice.maybe(() => nameOf(dice)),
    tier: dice.maybe(() => dice.pick(['auto', 'standard_only'])),
    cache: dice.chance(4) ? makeMark(dice) : undefined,
    unknownFields: dice.maybe(() => ({
      dialect: dialectId as 'anthropic',
      fields: defined({
        context_management: objectOf(dice),
        mcp_servers: dice.maybe(() => [objectOf(dice)]),
        output_config: dice.maybe(() => ({ task_budget: { type: 'tokens', total: 64_000 } })),
      }),
    })),
  })
}

testRoundTrips(anthropic, { makeRequest, makeReply })

testMalformedInput(anthropic, [openaiChat, anthropic], { makeRequest, makeReply })
