import { anthropic } from '../anthropic/index.ts'
import type { ChatReply, ChatRequest, Choice, MediaPart, Message, Part } from '../canon.ts'
import { testMalformedInput, testRoundTrips } from '../dialect-suite.ts'
import type { Dice } from '../generate/dice.ts'
import {
  defined,
  makeCall,
  makeCitation,
  makeImage,
  makeLogprobs,
  makeProof,
  makeReported,
  makeSchemaFormat,
  makeText,
  makeThinking,
  makeTool,
  makeToolChoice,
} from '../generate/parts.ts'
import { base64Of, jsonOf, nameOf, objectOf, wordsOf } from '../generate/words.ts'
import { openaiChat } from './index.ts'

const own = 'openai-chat'

const makeThoughts = (dice: Dice): Part[] =>
  dice.list(0, 2, at =>
    dice.chance(3)
      ? {
          type: 'thinking',
          text: '',
          redacted: true,
          signature: makeProof(dice, dice.pick(['anthropic', 'openai-responses', 'gemini', own])),
        }
      : // Only what is proved has an end of its own.
        at === 0
        ? { ...makeThinking(dice, 'anthropic'), signature: makeProof(dice, 'anthropic') }
        : makeThinking(dice, 'anthropic'),
  )

const makeWords = (dice: Dice, isReply: boolean): Part => {
  const text = makeText(dice)
  const { length } = text.text
  return defined({
    ...text,
    citations: dice.chance(4) ? dice.list(1, 2, () => makeCitation(dice, length)) : undefined,
    logprobs: isReply && dice.chance(4) ? makeLogprobs(dice) : undefined,
    signature: dice.chance(6) ? makeProof(dice, 'gemini') : undefined,
  })
}

const makeOwnCall = (dice: Dice): Part =>
  dice.chance(4)
    ? { ...makeCall(dice, 'call_'), input: wordsOf(dice), custom: true }
    : defined({
        ...makeCall(dice, 'call_'),
        signature: dice.chance(4) ? makeProof(dice, 'gemini') : undefined,
      })

const makeSound = (dice: Dice): MediaPart => ({
  type: 'media',
  mime: 'audio/*',
  id: nameOf(dice, 'audio_'),
  base64: base64Of(dice),
  transcript: wordsOf(dice),
  expiresAt: dice.upTo(2_000_000_000),
})

const some = (made: Part | undefined): Part[] => (made ? [made] : [])

const makeTurn = (dice: Dice, isReply: boolean): Part[] => [
  ...makeThoughts(dice),
  ...some(dice.maybe(() => makeWords(dice, isReply))),
  ...some(
    dice.chance(6) ? { type: 'text', text: wordsOf(dice), refusal: true as const } : undefined,
  ),
  ...(dice.chance(6) ? dice.list(1, 2, () => makeImage(dice)) : []),
  ...some(dice.chance(6) ? makeSound(dice) : undefined),
  ...dice.list(0, 3, () => makeOwnCall(dice)),
]

const makeChoice = (dice: Dice): Choice => {
  const parts = makeTurn(dice, true)
  const isCalling = parts.some(part => part.type === 'tool-call')
  const reason = isCalling ? 'tools' : dice.pick(['stop', 'length', 'filter'] as const)
  return defined({
    parts,
    finish: { reason },
    unknownFields: dice.chance(5)
      ? { dialect: own, fields: { content_filter_results: objectOf(dice) } }
      : undefined,
  })
}

const makeReply = (dice: Dice): ChatReply =>
  defined({
    id: nameOf(dice, 'chatcmpl-'),
    model: nameOf(dice, 'gpt-'),
    createdAt: dice.upTo(2_000_000_000),
    tier: dice.maybe(() => dice.pick(['default', 'flex', 'priority'])),
    choices: dice.list(1, dice.chance(4) ? 3 : 1, () => makeChoice(dice)),
    reportedUsage: makeReported(dice, [
      ...(['input', 'cacheRead', 'cacheWrite5m', 'audioInput', 'imageInput'] as const),
      ...(['output', 'reasoning', 'audioOutput', 'imageOutput'] as const),
    ]),
    unknownFields: dice.maybe(() => ({
      dialect: own,
      fields: { system_fingerprint: nameOf(dice) },
    })),
  })

const makeMedia = (dice: Dice): Part =>
  dice.pick<() => Part>([
    () => ({ ...makeImage(dice), detail: dice.pick(['low', 'high', 'auto']) }),
    () => ({ type: 'media', mime: dice.pick(['audio/wav', 'audio/mp3']), base64: base64Of(dice) }),
    () => ({ type: 'media', mime: 'application/pdf', base64: base64Of(dice), name: nameOf(dice) }),
    () => ({ type: 'media', mime: 'application/octet-stream', file: nameOf(dice, 'file-') }),
    () => ({ type: 'media', mime: 'video/*', url: `https://media.example/${nameOf(dice)}` }),
    () => ({ type: 'opaque', dialect: own, value: { type: nameOf(dice, 'x_'), of: jsonOf(dice) } }),
    () => ({
      ...makeText(dice),
      cache: { ttl: '1h' },
      unknownFields: { dialect: own, fields: { cache_control: { type: 'ephemeral', ttl: '1h' } } },
    }),
  ])()

const makeMessage = (dice: Dice): Message => {
  switch (dice.upTo(4)) {
    case 0:
      return { role: dice.pick(['system', 'developer'] as const), parts: [makeText(dice)] }
    case 1:
      return { role: 'assistant', parts: makeTurn(dice, false) }
    case 2: {
      const parts = dice.list(1, 2, () => makeText(dice))
      return { role: 'tool', parts: [{ type: 'tool-result', id: nameOf(dice, 'call_'), parts }] }
    }
    default:
      return defined({
        role: 'user' as const,
        parts: dice.list(0, 4, () => (dice.chance(2) ? makeText(dice) : makeMedia(dice))),
        name: dice.chance(4) ? nameOf(dice) : undefined,
        unknownFields: dice.chance(8)
          ? { dialect: own, fields: { x_note: jsonOf(dice, 1) ?? 1 } }
          : undefined,
      })
  }
}

const makeRequest = (dice: Dice): ChatRequest => {
  const tools = dice.maybe(() => dice.list(1, 3, () => makeTool(dice)))
  const topK = dice.chance(6) ? dice.upTo(100) : undefined
  const budget = 1_024 + dice.upTo(9_000)
  return defined({
    model: nameOf(dice, dice.pick(['gpt-5-', 'gpt-4o-', 'deepseek-'])),
    messages: dice.list(1, 6, () => makeMessage(dice)),
    stream: dice.maybe(() => dice.chance(2)),
    tools,
    toolChoice: dice.maybe(() => makeToolChoice(dice, tools)),
    parallelTools: tools && dice.maybe(() => dice.chance(2)),
    outputMax: dice.maybe(() => dice.upTo(10_000)),
    temperature: dice.maybe(() => dice.upTo(200) / 100),
    topP: dice.maybe(() => dice.upTo(100) / 100),
    topK,
    stop: dice.maybe(() => dice.list(1, 3, () => wordsOf(dice, 1))),
    seed: dice.maybe(() => dice.upTo(1_000_000)),
    n: dice.maybe(() => 1 + dice.upTo(3)),
    presencePenalty: dice.maybe(() => dice.upTo(4) - 2),
    frequencyPenalty: dice.maybe(() => dice.upTo(4) - 2),
    logprobs: dice.maybe(() => (dice.chance(2) ? {} : { top: dice.upTo(20) })),
    format: dice.maybe(() =>
      dice.chance(2)
        ? dice.pick([{ type: 'text' } as const, { type: 'json' } as const])
        : { ...makeSchemaFormat(dice), name: nameOf(dice), strict: dice.chance(2) },
    ),
    reasoning: dice.maybe(() =>
      dice.chance(2)
        ? { effort: dice.pick(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']) }
        : {
            mode: 'enabled' as const,
            budget,
            unknownFields: {
              dialect: own as 'openai-chat',
              fields: { thinking: { type: 'enabled', budget_tokens: budget } },
            },
          },
    ),
    verbosity: dice.maybe(() => dice.pick(['low', 'high'])),
    metadata: dice.maybe(() => ({ [nameOf(dice)]: wordsOf(dice) })),
    user: dice.maybe(() => nameOf(dice)),
    safetyId: dice.maybe(() => nameOf(dice)),
    tier: dice.maybe(() => 'flex'),
    store: dice.maybe(() => dice.chance(2)),
    cacheKey: dice.maybe(() => nameOf(dice)),
    cacheRetention: dice.maybe(() => '24h'),
    unknownFields:
      topK === undefined && dice.chance(2)
        ? undefined
        : {
            dialect: own as 'openai-chat',
            fields: defined({ logit_bias: { 50256: -100 }, top_k: topK }),
          },
  })
}

testRoundTrips(openaiChat, { makeRequest, makeReply })

testMalformedInput(openaiChat, [openaiChat, anthropic], { makeRequest, makeReply })
