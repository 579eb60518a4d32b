import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NeutralResponse } from '../conformance/neutral.ts'
import { addVendorChannels } from '../conformance/run.ts'
import { vendors } from '../conformance/vendors/index.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { playAnswers } from './open-responses/play-answers.ts'

const answer: NeutralResponse = {
  ...{ pieces: [{ text: 'Arr.' }], finish: 'stop' },
  usage: { input: 20, output: 6 },
}
const pirate = 'Be a pirate.'
const instruction = { role: 'system', content: pirate }

type Caller = {
  dialect: string
  path(model: string): string
  /** Requests without a conversation. */
  empty: object[]
  /** Requests of instructions only that the dialect's own vendor answers. */
  instructed: object[]
  refusal: RegExp
}

const callers: readonly Caller[] = [
  {
    dialect: 'openai-chat',
    path: () => '/v1/chat/completions',
    empty: [{ messages: [] }],
    instructed: [
      { messages: [instruction] },
      { messages: [{ ...instruction, role: 'developer' }] },
    ],
    refusal: /empty array/,
  },
  {
    dialect: 'openai-responses',
    path: () => '/v1/responses',
    empty: [{ input: [] }, { instructions: pirate }, { instructions: pirate, input: [] }],
    instructed: [{ input: [instruction] }],
    refusal: /Missing required parameter: 'input'/,
  },
  {
    dialect: 'anthropic',
    path: () => '/v1/messages',
    empty: [
      { messages: [], max_tokens: 9 },
      { messages: [], max_tokens: 9, system: pirate },
    ],
    instructed: [],
    refusal: /at least one message is required/,
  },
  {
    dialect: 'gemini',
    path: model => `/v1beta/models/${model}:generateContent`,
    empty: [{ contents: [] }, { systemInstruction: { parts: [{ text: pirate }] } }],
    instructed: [],
    refusal: /contents is not specified/,
  },
]

describeOneEngine(engine => {
  let hub: TestHub
  let key: string
  beforeAll(async () => {
    hub = await startTestHub(engine)
    key = (await addVendorChannels(hub, vendors)).key
  })
  afterAll(() => hub?.close())

  const post = async (caller: Caller, model: string, body: object) => {
    const named = caller.dialect === 'gemini' ? body : { model, ...body }
    const result = await fetch(`${hub.gateway.url}${caller.path(model)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(named),
    })
    return { status: result.status, text: await result.text() }
  }

  describe.each(callers)('a caller of $dialect', caller => {
    const others = vendors.filter(each => each.dialect !== caller.dialect)

    it.each(others)('reads its own vendor’s refusal before $dialect is asked', async vendor => {
      const before = hub.upstream.served.length
      for (const body of caller.empty) {
        const { status, text } = await post(caller, playAnswers(hub, vendor, answer), body)
        expect(status).toBe(400)
        expect(JSON.parse(text).error.message).toMatch(caller.refusal)
      }
      expect(hub.upstream.served.length).toBe(before)
    })

    it.runIf(caller.instructed.length > 0).each(others)(
      'may send instructions alone to $dialect (only OpenAI’s callers may)',
      async vendor => {
        for (const body of caller.instructed) {
          const { status } = await post(caller, playAnswers(hub, vendor, answer), body)
          expect(status).toBe(200)
          const sent = hub.upstream.served.at(-1)!.body.toString()
          expect(sent).toMatch(/"role":"user"/)
          expect(sent.match(/Be a pirate/g)).toHaveLength(1)
        }
      },
    )

    it('asks a vendor of its own dialect with its bytes', async () => {
      const vendor = vendors.find(each => each.dialect === caller.dialect)!
      const model = playAnswers(hub, vendor, answer)
      const body = caller.dialect === 'gemini' ? caller.empty[0]! : { model, ...caller.empty[0] }
      await post(caller, model, body)
      expect(hub.upstream.served.at(-1)!.body.toString()).toBe(JSON.stringify(body))
    })
  })
})
