import { beforeAll, expect, it } from 'vitest'
import { vendorChecks } from '../../../../../test/upstream/model-rules/index.ts'
import type { Play } from '../../../../../test/upstream/start.ts'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

type Vendor =
  | 'openai'
  | 'qwen'
  | 'moonshot'
  | 'mistral'
  | 'deepseek'
  | 'zhipu'
  | 'xai'
  | 'anthropic'
type Kind = 'missing' | 'null' | 'string' | 'list' | 'text' | 'blank' | 'blank part'

const vendors: Readonly<Record<Vendor, { type: number; model: string }>> = {
  openai: { type: 1, model: 'gpt-4o' },
  qwen: { type: 17, model: 'qwen3.6-plus' },
  moonshot: { type: 29, model: 'kimi-k3' },
  mistral: { type: 30, model: 'mistral-large-latest' },
  deepseek: { type: 28, model: 'deepseek-v4-pro' },
  zhipu: { type: 16, model: 'glm-5.2' },
  xai: { type: 56, model: 'grok-4.3' },
  anthropic: { type: 14, model: 'claude-haiku-4-5' },
}

const contents: Readonly<Record<Kind, string>> = {
  missing: '',
  null: ',"content": null',
  string: ',"content": ""',
  list: ',"content": []',
  text: ',"content": [{"type": "text", "text": ""}]',
  blank: ',"content": " \\n"',
  'blank part': ',"content": [{"type": "text", "text": " "}]',
}
const kinds = Object.keys(contents) as Kind[]
const roles = ['assistant', 'user', 'system'] as const

const absent: readonly Kind[] = ['missing', 'null']
/** The messages that are left out of a request in the vendor's own dialect, by the sources in its table of rules. */
const leftOut: Readonly<Record<Vendor, { of: readonly string[]; kinds: readonly Kind[] }>> = {
  openai: { of: [], kinds: [] },
  qwen: { of: [], kinds: [] },
  moonshot: { of: roles, kinds: [...absent, 'string', 'list', 'text'] },
  mistral: { of: ['assistant'], kinds: [...absent, 'string', 'list'] },
  deepseek: { of: ['assistant'], kinds: absent },
  zhipu: { of: ['assistant'], kinds: [...absent, 'string', 'list'] },
  xai: { of: roles, kinds: [...absent, 'string', 'list', 'text'] },
  anthropic: {
    of: ['assistant', 'user'],
    kinds: ['string', 'list', 'text', 'blank', 'blank part'],
  },
}

const isAnthropic = (path: string) => path.includes('/messages')

/** A vendor that refuses what its documents forbid. */
const enforcing =
  (vendor: Vendor): Play =>
  turn => {
    const dialect = isAnthropic(turn.served.path) ? 'anthropic' : 'openai-chat'
    const message = vendorChecks[`${vendor}/${dialect}`]!(receivedBody(turn), turn.served.model)
    if (message !== undefined)
      return answerJson(turn, { error: { message, type: 'invalid_request_error' } }, 400)
    if (turn.served.path.includes('count_tokens')) return answerJson(turn, { input_tokens: 7 })
    const content = 'Done.'
    if (dialect === 'anthropic')
      return answerJson(turn, {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
        content: [{ type: 'text', text: content }],
        usage: { input_tokens: 5, output_tokens: 2 },
      })
    answerJson(turn, {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'm' },
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    })
  }

beforeAll(async () => {
  for (const [vendor, { type, model }] of Object.entries(vendors)) {
    await hub.addChannel(type, model)
    hub.upstream.play(model, enforcing(vendor as Vendor))
  }
})

/** Spaces, an escape and a number that are lost where the body is written anew. */
const bodyOf = (model: string, ...messages: string[]): string => {
  const hi = '{"role": "user", "content": "H\\u0069"}'
  const isFirst = messages[0]?.includes('"system"')
  const all = [
    ...(isFirst ? [...messages, hi] : [hi, ...messages]),
    '{"role":"user","content":"And?"}',
  ]
  return `{"model":"${model}", "max_tokens":  99, "messages": [${all.join(', ')}], "top_p":0.50}`
}

/** Sends the very bytes of the body. */
const send = (
  body: string,
  vendor: Vendor,
  path = vendor === 'anthropic' ? '/v1/messages' : '/v1/chat/completions',
) => {
  hub.upstream.forget()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${hub.key}` }
  return fetch(`${hub.url}${path}`, { method: 'POST', headers, body })
}
const sentBody = (): string => String(hub.upstream.served[0]?.body)

const rowOf = async (response: Response): Promise<Json> => {
  const id = response.headers.get('x-request-id')
  const { body } = await hub.app.root.get('/api/log/?log_type=2')
  return body.data.data.find((each: Json) => String(each.id) === id)
}

const table = (Object.keys(vendors) as Vendor[]).flatMap(vendor =>
  roles
    .filter(role => vendor !== 'anthropic' || role !== 'system')
    .flatMap(role => kinds.map(kind => [vendor, role, kind] as const)),
)

it.each(table)(
  'sends to %s a message of %s that is empty as %s only where it is accepted',
  async (vendor, role, kind) => {
    const { model } = vendors[vendor]
    const { of, kinds: refused } = leftOut[vendor]
    const body = bodyOf(model, `{"role":"${role}"${contents[kind]}}`)
    const isCut = of.includes(role) && refused.includes(kind)
    const response = await send(body, vendor)
    const text = await response.text()
    expect(sentBody()).toBe(isCut ? bodyOf(model) : body)
    // The schema of Messages wants the field.
    if (!(vendor === 'anthropic' && absent.includes(kind))) expect(response.status, text).toBe(200)
  },
)

it('the log row of a call tells that messages were left out, and a whole call has no note', async () => {
  const { model } = vendors.moonshot
  const cut = await send(bodyOf(model, '{"role":"assistant","content":""}'), 'moonshot')
  await expect.poll(() => rowOf(cut)).toBeDefined()
  expect((await rowOf(cut)).metadata.notes).toEqual(['openai-chat: messages (empty)'])
  const whole = await send(bodyOf(model, '{"role":"assistant","content":"Yes?"}'), 'moonshot')
  await expect.poll(() => rowOf(whole)).toBeDefined()
  expect((await rowOf(whole)).metadata.notes).toBeUndefined()
})

it('an answer that was stopped after a tool result becomes a turn with words at Mistral', async () => {
  const { model } = vendors.mistral
  const call = '{"id":"abcdefghi","type":"function","function":{"name":"look","arguments":"{}"}}'
  const turns = [
    `{"role":"assistant","content":"","tool_calls":[${call}]}`,
    '{"role":"tool","tool_call_id":"abcdefghi","content":"found"}',
  ]
  const response = await send(
    bodyOf(model, ...turns, '{"role":"assistant","content":""}'),
    'mistral',
  )
  expect(response.status, await response.text()).toBe(200)
  expect(sentBody()).toBe(bodyOf(model, ...turns, '{"role":"assistant","content":"Understood."}'))
})

it('the channel of a gateway passes empty messages on, whatever the model', async () => {
  await hub.addChannel(67, 'kimi-k9')
  hub.upstream.play('kimi-k9', enforcing('openai'))
  const body = bodyOf('kimi-k9', '{"role":"assistant","content":""}')
  await send(body, 'moonshot')
  expect(sentBody()).toBe(body)
})

it('the vendor counts the tokens of the messages that it is sent', async () => {
  const { model } = vendors.anthropic
  const body = bodyOf(model, '{"role":"assistant","content":""}')
  const response = await send(body, 'anthropic', '/v1/messages/count_tokens')
  expect(await response.json()).toEqual({ input_tokens: 7 })
  expect(sentBody()).toBe(bodyOf(model))
})
