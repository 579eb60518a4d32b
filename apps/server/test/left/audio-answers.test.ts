import { beforeAll, expect, it } from 'vitest'
import { beginStream, frame, lastCharge, type RelayCall } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { openCall } from './callers.ts'

// Chats that answer with sound. A second of it is 20 tokens at OpenAI and 25 at Google; its transcript is text.

const hub = useRelayHub()
const isWhole = process.env.HUB_LEFT_CALLS === 'all'
const [openai, google] = ['sound-openai', 'sound-google']
beforeAll(async () => {
  await hub.addChannel(1, openai)
  await hub.addChannel(25, google)
})

/** A fifth of a second, which ends in four slashes. */
const sound = Buffer.concat([Buffer.alloc(9_597), Buffer.alloc(3, 0xff)]).toString('base64')
const messages = [{ role: 'user', content: 'hi' }]
const openaiPiece = (transcript: string) =>
  [{ data: sound }, { transcript }]
    .map(audio => frame({ id: 'c', choices: [{ index: 0, delta: { audio } }] }))
    .join('')
const googlePiece = () => {
  const parts = [{ inlineData: { mimeType: 'audio/L16;rate=24000', data: sound } }]
  return frame({ candidates: [{ content: { role: 'model', parts }, index: 0 }] })
}

type Sounding = {
  name: string
  model: string
  call: RelayCall
  opening: string
  piece(transcript: string): string
  /** Tokens of one piece. */
  audio: number
  text: number
}

const chatFields = { stream: true, modalities: ['text', 'audio'], reasoning_effort: 'none' }
const generationConfig = {
  ...{ responseModalities: ['AUDIO'], thinkingConfig: { thinkingBudget: 0 } },
}
const sounds: Sounding[] = [
  {
    ...{ name: 'a chat', model: openai, audio: 4, text: 1 },
    call: { path: '/v1/chat/completions', body: { model: openai, messages, ...chatFields } },
    opening: frame({ id: 'c', choices: [{ index: 0, delta: { audio: { id: 'audio_1' } } }] }),
    piece: openaiPiece,
  },
  {
    ...{ name: 'a chat, translated for a Gemini caller', model: openai, audio: 4, text: 1 },
    call: {
      path: `/v1beta/models/${openai}:streamGenerateContent?alt=sse`,
      body: { contents: [{ parts: [{ text: 'hi' }] }], generationConfig },
    },
    opening: frame({ id: 'c', choices: [{ index: 0, delta: { audio: { id: 'audio_1' } } }] }),
    piece: openaiPiece,
  },
  ...['?alt=sse', ''].map(query => ({
    ...{ name: `Gemini${query}`, model: google, audio: 5, text: 0 },
    call: {
      path: `/v1beta/models/${google}:streamGenerateContent${query}`,
      body: { contents: [{ parts: [{ text: 'hi' }] }], generationConfig },
    },
    opening: '',
    piece: googlePiece,
  })),
]
const places = isWhole ? Array.from({ length: 30 }, (_, at) => at + 1) : [1, 5]
const sums = { charged: 0, vendor: 0 }

it.each(sounds.flatMap(each => places.map(pieces => [each.name, pieces, each] as const)))(
  'SEC-1 the sound of %s is charged as it was forwarded, left after %i pieces',
  async (_, pieces, { model, call, opening, piece, audio, text }) => {
    const all = Array.from({ length: pieces }, () => piece('aaa ')).join('')
    await new Promise<void>((resolve, reject) => {
      hub.upstream.play(model, turn => {
        turn.response.once('close', resolve)
        beginStream(turn).write(opening + all)
      })
      const headers = { 'x-goog-api-key': hub.key }
      const caller = openCall(
        hub,
        { call: { ...call, headers } },
        {
          onText: async seen => {
            const isThere = seen.split('////').length > pieces
            if (isThere) (await caller).leave()
          },
          onEnd: seen => reject(new Error(`the answer ended: ${seen.slice(-500)}`)),
        },
      )
      caller.catch(reject)
    })
    const { usage, finish } = (await lastCharge(hub))!
    expect(finish).toBe('caller-left')
    expect(usage.audioOutput! / (pieces * audio)).toBeGreaterThan(0.85)
    expect(usage.audioOutput! / (pieces * audio)).toBeLessThan(1.2)
    const texts = usage.output ?? 0
    // The last transcript may still be on its way.
    expect(texts).toBeGreaterThanOrEqual((pieces - 1) * text * 0.85)
    expect(texts).toBeLessThanOrEqual(pieces * text * 1.2 + 1)
    sums.charged += usage.audioOutput! + texts
    sums.vendor += pieces * (audio + text)
  },
)

it('SEC-1 the sum of the sound is that of the vendors', () => {
  const ratio = sums.charged / sums.vendor
  console.log(`I13 on chats with sound: ${ratio.toFixed(3)} of the vendors’ counts`)
  expect(ratio).toBeGreaterThan(0.95)
  expect(ratio).toBeLessThan(1.1)
})
