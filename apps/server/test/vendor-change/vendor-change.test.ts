import { beforeAll, describe, expect, it } from 'vitest'
import { answerJson, type Json, useRelayHub } from '../relay-hub.ts'
import { callers } from './callers.ts'
import { makeVendor, type Vendor } from './vendors.ts'

const hub = useRelayHub()

const aws = { key: 'us-east-1|key' }
/** The channel's type and fields, and the model at the vendor. */
const vendorTypes = {
  openai: [1, {}, 'gpt-5.5'],
  claude: [14, {}, 'claude-opus-4-5'],
  gemini: [25, {}, 'gemini-3-pro'],
  deepseek: [28, {}, 'deepseek-v4-pro'],
  bedrock: [62, aws, 'claude-sonnet-4-5'],
  converse: [32, aws, 'us.amazon.nova-pro-v1:0'],
} as const
type Name = keyof typeof vendorTypes
type CallerName = keyof typeof callers

beforeAll(async () => {
  for (const [name, [type, fields, model]] of Object.entries(vendorTypes))
    await hub.addChannel(type, `m-${name}`, {
      ...fields,
      model_mapping: JSON.stringify({ [`m-${name}`]: `+${model}` }),
    })
})

/** The vendors of one session, each new. */
const openVendors = (): Record<Name, Vendor> => {
  const vendors = {} as Record<Name, Vendor>
  for (const name of Object.keys(vendorTypes) as Name[]) {
    vendors[name] = makeVendor(name)
    hub.upstream.play(vendorTypes[name][2], vendors[name].play)
    // The Messages API of Bedrock has Anthropic's names with the vendor in front.
    hub.upstream.play(`anthropic.${vendorTypes[name][2]}`, vendors[name].play)
  }
  return vendors
}

const goThrough = async (callerName: CallerName, names: readonly Name[], stream: boolean) => {
  const caller = callers[callerName]
  const vendors = openVendors()
  const turns: Json[] = caller.ask()
  const refused: string[] = []
  for (const name of names) {
    const model = `m-${name}`
    const response = await hub.post(caller.path(model, stream), caller.body(model, turns, stream))
    const text = await response.text()
    if (response.status !== 200) {
      refused.push(`${name}: ${response.status} ${text}`)
      break
    }
    turns.push(...caller.keep(stream ? caller.join(text) : JSON.parse(text)))
  }
  return { vendors, turns, refused }
}

const route = ['openai', 'claude', 'gemini', 'deepseek', 'bedrock'] as const

describe.each(Object.keys(callers) as CallerName[])('a caller of %s', callerName => {
  it.each([false, true])(
    'changes its vendor each turn without a refusal (stream: %s)',
    async stream => {
      const names = [...route, ...route.toReversed(), ...route]
      const { vendors, refused } = await goThrough(callerName, names, stream)
      expect(refused).toEqual([])
      // Three vendors speak Anthropic's dialect, so that each gets what the others signed.
      const refusals = Object.values(vendors).flatMap(each => each.refusals)
      expect(refusals.filter(each => !each.includes('Invalid `signature`'))).toEqual([])
    },
  )

  it('changes from and to Bedrock’s own dialect without a refusal', async () => {
    const names = ['converse', 'claude', 'converse', 'gemini', 'converse', 'openai'] as const
    expect((await goThrough(callerName, names, false)).refused).toEqual([])
  })
})

/** The vendors whose own dialect is the caller's. */
const natives = [
  ['responses', 'openai'],
  ['messages', 'claude'],
  ['messages', 'bedrock'],
  ['gemini', 'gemini'],
] as const

describe.each(natives)('a caller of %s', (callerName, name) => {
  it.each([false, true])(`brings all of ${name} back to it (stream: %s)`, async stream => {
    const others =
      callerName === 'messages'
        ? (['openai', 'gemini'] as const)
        : route.filter(each => each !== name)
    const names = [name, ...others, name, ...others, name]
    const { vendors, refused } = await goThrough(callerName, names, stream)
    expect(refused).toEqual([])
    expect(vendors[name].refusals).toEqual([])
    expect([...vendors[name].seen]).toEqual(vendors[name].issued.slice(0, 2))
  })
})

/** A conversation whose second turn goes to another account, whatever the dialect of its vendor. */
const foreign = (callerName: CallerName): Json[] => {
  const [ask, ...more] = callers[callerName].ask()
  const proof = 'Zm9yZWlnbg=='
  const thought = { type: 'thinking', thinking: 'Think.', signature: proof }
  const summary = [{ type: 'summary_text', text: 'Think.' }]
  const call = { name: 'look', args: {} }
  const turns: Partial<Record<CallerName, Json>> = {
    messages: { role: 'assistant', content: [thought, { type: 'text', text: 'Look.' }] },
    responses: { type: 'reasoning', id: 'rs_gpt_9', encrypted_content: proof, summary },
    gemini: { role: 'model', parts: [{ functionCall: call, thoughtSignature: proof }] },
  }
  return [ask, ...more, turns[callerName], ...callers[callerName].ask()]
}

describe.each([
  ['messages', 'claude', 'thinking'],
  ['responses', 'openai', 'reasoning'],
  ['gemini', 'gemini', 'signature'],
] as const)(
  'a caller of %s with the state of another account of %s',
  (callerName, name, dropped) => {
    const caller = callers[callerName]
    const ask = (stream: boolean) =>
      hub.post(
        caller.path(`m-${name}`, stream),
        caller.body(`m-${name}`, foreign(callerName), stream),
      )

    it.each([false, true])('is answered at the second try (stream: %s)', async stream => {
      const vendors = openVendors()
      hub.upstream.forget()
      const response = await ask(stream)
      expect(response.status, await response.text()).toBe(200)
      expect(vendors[name].refusals).toHaveLength(1)
      const [first, second, ...more] = hub.upstream.served.map(each => String(each.body))
      expect(more).toEqual([])
      expect(first).toContain('Zm9yZWlnbg==')
      expect(second).not.toContain('Zm9yZWlnbg==')
      if (callerName !== 'gemini') expect(second).toContain('Think.')
      // The refused request costs nothing: 5 tokens and 2 are charged once.
      const note = `gateway: repeated without state of another account: ${dropped}`
      await expect
        .poll(async () => {
          const id = response.headers.get('x-request-id')
          const { body } = await hub.app.root.get('/api/log/?log_type=2')
          const row = body.data.data.find((each: Json) => String(each.id) === id)
          return row && [row.prompt_tokens, row.completion_tokens, row.metadata.notes]
        })
        .toEqual([5, 2, [note]])
    })
  },
)

it('a vendor that refuses the repeated request too is not asked a third time', async () => {
  const { path, body } = callers.messages
  let count = 0
  hub.upstream.play(vendorTypes.claude[2], turn => {
    count++
    const message = 'messages.1.content.0: Invalid `signature` in `thinking` block'
    answerJson(turn, { type: 'error', error: { type: 'invalid_request_error', message } }, 400)
  })
  const response = await hub.post(
    path('m-claude', false),
    body('m-claude', foreign('messages'), false),
  )
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('Invalid `signature`')
  expect(count).toBe(2)
})

/** Each vendor's words that speak of state, with a caller of its dialect. */
const stateRefusals = [
  ['responses', 'openai', 400, 'Encrypted content could not be verified.'],
  ['responses', 'openai', 400, "Item with id 'rs_1' not found."],
  ['messages', 'claude', 400, 'messages.1.content.0: Invalid `signature` in `thinking` block'],
  ['gemini', 'gemini', 400, 'Function call is missing a thought_signature'],
  ['chat', 'deepseek', 400, 'Encrypted content could not be verified.'],
] as const

it.each(stateRefusals)(
  'a caller of %s without any state gets the refusal of %s (%s) after one request: %s',
  async (callerName, name, status, message) => {
    let count = 0
    hub.upstream.play(vendorTypes[name][2], turn => {
      count++
      answerJson(turn, { type: 'error', error: { type: 'invalid_request_error', message } }, status)
    })
    const { path, body, ask } = callers[callerName]
    const response = await hub.post(path(`m-${name}`, false), body(`m-${name}`, [...ask()], false))
    expect([response.status, count]).toEqual([status, 1])
    expect(await response.text()).toContain(message)
  },
)
