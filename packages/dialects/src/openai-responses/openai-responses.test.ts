import type {
  ChatReply,
  ChatRequest,
  Choice,
  Message,
  Part,
  ReportedUsage,
  Tool,
} from '../canon.ts'
import { testPassThrough, testRoundTrips } from '../dialect-suite.ts'
import type { Dice } from '../generate/dice.ts'
import {
  defined,
  makeCall,
  makeCitation,
  makeImage,
  makeLogprobs,
  makeReported,
  makeSchemaFormat,
  makeText,
  makeThinking,
  makeTool,
  makeToolChoice,
} from '../generate/parts.ts'
import { base64Of, nameOf, objectOf, wordsOf } from '../generate/words.ts'
import { openaiResponses } from './index.ts'

const own = 'openai-responses'

const frame = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const response = { id: 'resp_1', object: 'response', usage: null, output: [] }

testPassThrough(openaiResponses, {
  request: Buffer.from(
    ' {"temperature" : 1.0, "model":"gpt-5" ,"big":9007199254740993,\n "input":[{"role":"user","content":"h\\u00e9 世界"}],"stream":true }\n',
  ),
  stream: Buffer.from(
    [
      `\uFEFF${frame('response.created', { response })}`,
      ': a comment\n\n',
      frame('response.output_text.delta', { delta: 'Hé 世界 ', output_index: 0 }),
      'event: response.output_text.delta\r\ndata:{"type":"response.output_text.delta","delta":"x"}\r\n\r\n',
      'data: {\ndata: "type": "response.queued"}\n\n',
      'data: broken {\n\n',
      frame('response.output_item.done', { item: { type: 'web_search_call', id: 'ws_1' } }),
      frame('response.completed', {
        response: { ...response, usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } },
      }),
      'data: [DONE]\n\n',
    ].join(''),
  ),
})

const item = (fields: object) =>
  ({ unknownFields: { dialect: own, fields: { item: fields } } }) as const

const makeAnswer = (dice: Dice): Part => {
  const text = makeText(dice)
  return defined({
    ...text,
    refusal: dice.chance(6) ? true : undefined,
    ...dice.maybe(() => item({ id: nameOf(dice, 'msg_') })),
  } as const)
}

/** Refusals have no citations and no probabilities. */
const decorated = (dice: Dice, part: Part): Part =>
  part.type !== 'text' || part.refusal
    ? part
    : defined({
        ...part,
        citations: dice.maybe(() =>
          dice.list(1, 2, () => ({ title: '', ...makeCitation(dice, part.text.length) })),
        ),
        logprobs: dice.chance(4) ? makeLogprobs(dice) : undefined,
      })

const makeOpaque = (dice: Dice): Part => ({
  type: 'opaque',
  dialect: own,
  value: {
    id: nameOf(dice, 'ws_'),
    type: dice.pick(['web_search_call', 'mcp_call', 'something_new']),
    status: 'completed',
    action: objectOf(dice),
  },
})

const makeThought = (dice: Dice): Part =>
  dice.chance(4)
    ? {
        type: 'thinking',
        text: '',
        redacted: true,
        signature: { dialect: dice.pick([own, 'anthropic', 'gemini']), text: base64Of(dice) },
      }
    : defined({
        ...makeThinking(dice, own),
        unknownFields: dice.maybe(() => ({
          dialect: own,
          fields: defined({
            item: dice.maybe(() => ({ id: nameOf(dice, 'rs_') })),
            of: 'content',
          }),
        })),
      } as const)

const makeToolCall = (dice: Dice): Part =>
  dice.chance(4)
    ? {
        type: 'tool-call',
        id: nameOf(dice, 'call_'),
        name: nameOf(dice),
        input: wordsOf(dice),
        custom: true,
      }
    : defined({
        ...makeCall(dice, 'call_'),
        ...dice.maybe(() => item({ id: nameOf(dice, 'fc_'), namespace: nameOf(dice) })),
      } as const)

const makePainting = (dice: Dice): Part => ({
  type: 'media',
  mime: 'image/webp',
  base64: base64Of(dice),
  ...item({
    id: nameOf(dice, 'ig_'),
    output_format: 'webp',
    revised_prompt: wordsOf(dice),
    kind: 'image_generation_call',
  }),
})

/** Thoughts stand apart: two side by side are two pieces of one item. */
const makeParts = (dice: Dice, makers: readonly ((dice: Dice) => Part)[]): Part[] =>
  dice
    .list(0, 3, () => dice.pick(makers)(dice))
    .filter((part, at, all) => part.type !== 'thinking' || all[at - 1]?.type !== 'thinking')

const makeChoice = (dice: Dice): Choice => {
  const parts = makeParts(dice, [
    makeAnswer,
    makeAnswer,
    makeThought,
    makeToolCall,
    makeOpaque,
    makePainting,
  ]).map(part => decorated(dice, part))
  const hasCall = parts.some(part => part.type === 'tool-call')
  const reason = dice.pick([hasCall ? 'tools' : 'stop', 'length', 'filter'] as const)
  return { parts, finish: { reason } }
}

/** What is sold by the call is counted where the usage is told. */
const counted = (
  reportedUsage: ReportedUsage | undefined,
  parts: readonly Part[],
): ReportedUsage | undefined => {
  if (typeof reportedUsage?.usage !== 'object') return reportedUsage
  const searches = parts.filter(
    part => part.type === 'opaque' && (part.value as { type: string }).type === 'web_search_call',
  ).length
  const images = parts.filter(part => part.type === 'media').length
  return {
    usage: {
      ...reportedUsage.usage,
      tools: {
        ...(searches > 0 ? { web_search: searches } : {}),
        ...(images > 0 ? { image_generation: images } : {}),
      },
    },
  }
}

const makeReply = (dice: Dice): ChatReply => {
  const choice = makeChoice(dice)
  return defined({
    id: nameOf(dice, 'resp_'),
    model: nameOf(dice),
    createdAt: dice.upTo(2_000_000_000),
    tier: dice.maybe(() => dice.pick(['default', 'flex', 'priority'])),
    choices: [choice],
    reportedUsage: counted(
      makeReported(dice, ['input', 'cacheRead', 'cacheWrite5m', 'output', 'reasoning']),
      choice.parts,
    ),
    unknownFields: dice.maybe(() => ({
      dialect: own,
      fields: { echo: { previous_response_id: nameOf(dice, 'resp_') }, moderation: objectOf(dice) },
    })),
  } as const)
}

const makeInput = (dice: Dice): Part =>
  dice.pick<() => Part>([
    () => makeText(dice),
    () => defined({ ...makeImage(dice), detail: dice.maybe(() => dice.pick(['low', 'high'])) }),
    () => ({
      type: 'media',
      mime: 'application/pdf',
      base64: base64Of(dice),
      name: nameOf(dice),
    }),
    () => ({ type: 'media', mime: 'audio/wav', base64: base64Of(dice) }),
    () => ({ type: 'media', mime: 'image/*', file: nameOf(dice, 'file-') }),
    () => ({ type: 'opaque', dialect: own, value: { type: 'new_content', of: objectOf(dice) } }),
  ])()

const makeMessages = (dice: Dice): Message[] => {
  const turns = dice.list(1, 3, (): Message[] => {
    const calls = dice.list(0, 2, () => makeToolCall(dice))
    const history = makeParts(dice, [makeAnswer, makeOpaque, makePainting])
    const assistant: Message = { role: 'assistant', parts: [...history, ...calls] }
    const tool: Message = {
      role: 'tool',
      parts: calls.map(call => ({
        type: 'tool-result',
        id: call.type === 'tool-call' ? call.id : '',
        parts: [makeText(dice), ...dice.list(0, 1, () => makeInput(dice))],
        ...(call.type === 'tool-call' && call.custom ? { custom: true as const } : {}),
      })),
    }
    return [
      { role: 'user', parts: dice.list(1, 3, () => makeInput(dice)) },
      ...(assistant.parts.length > 0 ? [assistant] : []),
      ...(calls.length > 0 ? [tool] : []),
    ]
  })
  const system = dice.maybe((): Message => ({ role: 'system', parts: [makeText(dice)] }))
  const developer = dice.maybe((): Message => ({ role: 'developer', parts: [makeText(dice)] }))
  return [...(system ? [system] : []), ...(developer ? [developer] : []), ...turns.flat()]
}

const makeRequest = (dice: Dice): ChatRequest => {
  const tools = dice.maybe(() =>
    dice.list(
      1,
      3,
      (): Tool =>
        dice.pick<() => Tool>([
          () => ({ strict: false, ...makeTool(dice) }) as Tool,
          () => ({
            type: 'custom',
            name: nameOf(dice),
            description: wordsOf(dice),
            format: { type: 'text' },
          }),
          () => ({ type: 'opaque', dialect: own, value: { type: 'web_search', filters: {} } }),
        ])(),
    ),
  )
  return defined({
    model: nameOf(dice),
    messages: makeMessages(dice),
    stream: dice.maybe(() => dice.chance(2)),
    tools,
    toolChoice: dice.maybe(() => makeToolChoice(dice, tools)),
    parallelTools: dice.maybe(() => dice.chance(2)),
    outputMax: dice.maybe(() => dice.upTo(9_000)),
    temperature: dice.maybe(() => dice.upTo(20) / 10),
    topP: dice.maybe(() => dice.upTo(10) / 10),
    logprobs: dice.maybe(() => ({ top: dice.upTo(20) })),
    format: dice.maybe(() =>
      dice.pick([
        { type: 'text' } as const,
        { type: 'json' } as const,
        { ...makeSchemaFormat(dice), name: nameOf(dice), strict: dice.chance(2) },
      ]),
    ),
    reasoning: dice.maybe(() => ({ effort: dice.pick(['low', 'xhigh']), summary: 'auto' })),
    verbosity: dice.maybe(() => 'low'),
    metadata: dice.maybe(() => ({ [nameOf(dice)]: wordsOf(dice) })),
    user: dice.maybe(() => nameOf(dice)),
    safetyId: dice.maybe(() => nameOf(dice)),
    tier: dice.maybe(() => 'flex'),
    store: dice.maybe(() => dice.chance(2)),
    cacheKey: dice.maybe(() => nameOf(dice)),
    cacheRetention: dice.maybe(() => '24h'),
    unknownFields: dice.maybe(() => ({
      dialect: own,
      fields: {
        include: ['reasoning.encrypted_content'],
        previous_response_id: nameOf(dice, 'resp_'),
        background: true,
        truncation: 'auto',
        unknown: objectOf(dice),
      },
    })),
  } as const)
}

testRoundTrips(openaiResponses, { makeRequest, makeReply })
