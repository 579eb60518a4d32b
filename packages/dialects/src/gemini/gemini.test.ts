import type { ChatReply, ChatRequest, Choice, Logprob, Message, Part, Tool } from '../canon.ts'
import { testPassThrough, testRoundTrips } from '../dialect-suite.ts'
import type { Dice } from '../generate/dice.ts'
import {
  defined,
  makeCall,
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
import { gemini, geminiArray } from './index.ts'

const dialectId = 'gemini'

const word = (text: string, more: object = {}) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 7, totalTokenCount: 11 },
  modelVersion: 'gemini-3-pro',
})
const request = Buffer.from(
  ' {"model":"gemini-3-pro", "generationConfig" : {"temperature":1.0},"big":9007199254740993,\n "contents":[{"role":"user","parts":[{"text":"h\\u00e9 世界"}]}]}\n',
)

testPassThrough(gemini, {
  request,
  stream: Buffer.from(
    [
      `\uFEFFdata: ${JSON.stringify(word('Hé 世界 '))}\r\n\r\n`,
      ': a comment\n\n',
      `data:${JSON.stringify(word('x', { finishReason: 'STOP' }))}\n\n`,
      'data: {\ndata: "candidates": []}\n\n',
      'data: broken {\n\n',
      `data: ${JSON.stringify(word('', { finishReason: 'STOP' }))}`,
    ].join(''),
  ),
})

testPassThrough(geminiArray, {
  request,
  stream: Buffer.from(
    `[${JSON.stringify(word('Hé "世界" [{ \\', {}))}\n,\r\n${JSON.stringify(word('x', { finishReason: 'STOP' }))},${JSON.stringify(word('', { finishReason: 'STOP' }))}\n]\n`,
  ),
})

const makeThought = (dice: Dice): Part =>
  dice.chance(4)
    ? {
        type: 'thinking',
        text: '',
        redacted: true,
        signature: {
          dialect: dice.pick([dialectId, 'anthropic', 'openai-responses', 'openai-chat']),
          text: base64Of(dice),
        },
      }
    : makeThinking(dice, dialectId)

const makeAnswer = (dice: Dice): Part =>
  defined({
    ...makeText(dice),
    signature: dice.chance(5) ? ({ dialect: dialectId, text: base64Of(dice) } as const) : undefined,
  })

const makeToolCall = (dice: Dice): Part =>
  defined({
    ...makeCall(dice, 'c_'),
    signature: dice.chance(2) ? ({ dialect: dialectId, text: base64Of(dice) } as const) : undefined,
  })

const makePainting = (dice: Dice): Part => ({
  type: 'media',
  mime: 'image/png',
  base64: base64Of(dice),
  unknownFields: { dialect: dialectId, fields: { thoughtSignature: base64Of(dice) } },
})

const makeOpaque = (dice: Dice): Part => ({
  type: 'opaque',
  dialect: dialectId,
  value: { executableCode: { language: 'PYTHON', code: wordsOf(dice) } },
})

const makers = [makeAnswer, makeAnswer, makeThought, makeToolCall, makePainting, makeOpaque]

/** Texts of one kind side by side would be one text in a stream. */
const makeParts = (dice: Dice): Part[] =>
  dice
    .list(0, 4, () => dice.pick(makers)(dice))
    .filter((part, at, all) => {
      const isText = part.type === 'text' || part.type === 'thinking'
      return !isText || all[at - 1]?.type !== part.type
    })

/** Tokens have no bytes in this dialect. */
const withoutBytes = (logprobs: Logprob[]): Logprob[] =>
  logprobs.map(({ token, logprob, top = [] }) => ({
    token,
    logprob,
    top: top.map(each => ({ token: each.token, logprob: each.logprob })),
  }))

const makeChoice = (dice: Dice): Choice => {
  const parts = makeParts(dice)
  const texts = parts.filter(part => part.type === 'text')
  const [text] = texts
  if (texts.length === 1 && text?.type === 'text' && dice.chance(4))
    text.logprobs = withoutBytes(makeLogprobs(dice))
  const hasCall = parts.some(part => part.type === 'tool-call')
  const finish = dice.pick([
    { reason: hasCall ? 'tools' : 'stop' } as const,
    { reason: 'length' } as const,
    { reason: 'filter' } as const,
    {
      reason: 'filter',
      unknownFields: { dialect: dialectId, fields: { finishReason: 'RECITATION' } },
    } as const,
    {
      reason: 'error',
      unknownFields: {
        dialect: dialectId,
        fields: { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: wordsOf(dice) },
      },
    } as const,
  ])
  return defined({
    parts,
    finish,
    unknownFields: dice.maybe(() => ({
      dialect: dialectId,
      fields: { safetyRatings: [objectOf(dice)] },
    })),
  } as const)
}

const makeReply = (dice: Dice): ChatReply =>
  defined({
    id: nameOf(dice),
    model: nameOf(dice),
    choices: dice.list(1, dice.chance(4) ? 3 : 1, () => makeChoice(dice)),
    reportedUsage: makeReported(dice, [
      'input',
      'cacheRead',
      'output',
      'reasoning',
      'audioInput',
      'imageOutput',
    ]),
    unknownFields: dice.maybe(() => ({
      dialect: dialectId,
      fields: { createTime: '2026-04-02T17:03:50.399550Z', modelStatus: objectOf(dice) },
    })),
  } as const)

const makeInput = (dice: Dice): Part =>
  dice.pick<() => Part>([
    () => makeText(dice),
    () => {
      const image = makeImage(dice)
      return image.type === 'media' && image.url ? { ...image, mime: 'image/png' } : image
    },
    () => ({
      type: 'media',
      mime: 'application/pdf',
      base64: base64Of(dice),
      name: nameOf(dice),
    }),
    () => ({
      type: 'media',
      mime: 'video/mp4',
      url: 'https://youtu.be/x',
      unknownFields: { dialect: dialectId, fields: { videoMetadata: { startOffset: '1s' } } },
    }),
  ])()

const makeHistory = (dice: Dice): Part[] =>
  makeParts(dice).filter(
    part => part.type !== 'tool-call' && (part.type !== 'thinking' || !part.redacted),
  )

const makeMessages = (dice: Dice): Message[] => {
  const turns = dice.list(1, 3, (): Message[] => {
    const calls = dice.list(0, 2, () => makeToolCall(dice))
    const parts = [...makeHistory(dice), ...calls]
    const tool: Message = {
      role: 'tool',
      parts: calls.map(call => {
        if (call.type !== 'tool-call') throw new Error('a call')
        return defined({
          type: 'tool-result',
          id: call.id,
          name: call.name,
          parts: [makeText(dice), ...dice.list(0, 1, () => makeImage(dice))].map(part =>
            part.type === 'media' && part.url ? { ...part, mime: 'image/png' } : part,
          ),
          failed: dice.chance(4) ? true : undefined,
        } as const)
      }),
    }
    return [
      { role: 'user', parts: dice.list(1, 3, () => makeInput(dice)) },
      ...(parts.length > 0 ? [{ role: 'assistant', parts } as const] : []),
      ...(calls.length > 0 ? [tool] : []),
    ]
  })
  const system = dice.maybe((): Message => ({ role: 'system', parts: [makeText(dice)] }))
  return [...(system ? [system] : []), ...turns.flat()]
}

const makeRequest = (dice: Dice): ChatRequest => {
  const functions = dice.maybe(() =>
    dice.list(1, 3, (): Tool => {
      const { strict, ...tool } = makeTool(dice) as Extract<Tool, { type: 'function' }>
      return tool
    }),
  )
  const search: Tool = { type: 'opaque', dialect: dialectId, value: { googleSearch: {} } }
  return defined({
    model: nameOf(dice),
    messages: makeMessages(dice),
    stream: dice.chance(2),
    tools: functions && dice.chance(2) ? [...functions, search] : functions,
    toolChoice: dice.maybe(() => makeToolChoice(dice, functions)),
    outputMax: dice.maybe(() => dice.upTo(9_000)),
    temperature: dice.maybe(() => dice.upTo(20) / 10),
    topP: dice.maybe(() => dice.upTo(10) / 10),
    topK: dice.maybe(() => dice.upTo(40)),
    stop: dice.maybe(() => dice.list(1, 3, () => wordsOf(dice))),
    seed: dice.maybe(() => dice.upTo(9_999)),
    n: dice.maybe(() => 1 + dice.upTo(3)),
    presencePenalty: dice.maybe(() => dice.upTo(20) / 10),
    frequencyPenalty: dice.maybe(() => dice.upTo(20) / 10),
    logprobs: dice.maybe(() => ({ top: dice.upTo(20) })),
    format: dice.maybe(() =>
      dice.pick([{ type: 'text' } as const, { type: 'json' } as const, makeSchemaFormat(dice)]),
    ),
    reasoning: dice.maybe(() =>
      dice.pick([
        { effort: 'low', summary: 'auto' },
        { budget: dice.upTo(9_000) },
        { summary: 'none' },
      ]),
    ),
    modalities: dice.maybe(() => ['text', 'image']),
    tier: dice.maybe(() => 'flex'),
    store: dice.maybe(() => dice.chance(2)),
    unknownFields: dice.maybe(() => ({
      dialect: dialectId,
      fields: {
        toolConfig: { retrievalConfig: { languageCode: 'en' } },
        generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
        safetySettings: [objectOf(dice)],
        cachedContent: nameOf(dice, 'cachedContents/'),
      },
    })),
  } as const)
}

testRoundTrips(gemini, { makeRequest, makeReply })

testRoundTrips(geminiArray, {
  makeRequest,
  makeReply,
  frames: onFrame => {
    const chunks: Buffer[] = []
    return {
      push: chunk => chunks.push(chunk) > 0,
      end: () => {
        for (const frame of JSON.parse(String(Buffer.concat(chunks))))
          onFrame(JSON.stringify(frame), '')
      },
    }
  },
})
