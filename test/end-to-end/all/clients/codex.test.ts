import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { retryTiming } from '../../../harness/runner/retries.ts'
import {
  answers,
  calls,
  proofOf,
  responseOf,
  responses,
  shownTo,
  thought,
  usage,
} from './answers.ts'
import { type CodexAnswer, sayingOf } from './codex-reader.ts'
import { type Kind, kinds, type Model, type Stage, startStage } from './stage.ts'
import type { Answer } from './vendor.ts'

// Codex CLI, step by step, after openai/codex (paths below are in codex-rs/). It has no library of its own for the wire,
// so `codex-reader.ts` reads a stream as codex-api/src/sse/responses.rs does.

const conversation = '0199d3a8-7f6e-7a51-b2a9-7d0c5fd8a111'
/** login/src/default_client.rs, codex-api/src/requests/headers.rs, core/src/client.rs */
const headers = {
  originator: 'codex_cli_rs',
  'user-agent': 'codex_cli_rs/0.130.0 (Ubuntu 24.4.0; x86_64) xterm-256color',
  version: '0.130.0',
  session_id: conversation,
  conversation_id: conversation,
  'x-openai-subagent': 'review',
  'x-codex-beta-features': 'unified_exec',
  'x-codex-turn-metadata': '{"turn_id":"1"}',
}

const shell = {
  type: 'function',
  name: 'shell',
  description: 'Runs a command.',
  strict: false,
  parameters: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
    additionalProperties: false,
  },
}
/** core/src/tools/handlers/apply_patch_spec.rs: a freeform tool, its text is no JSON. */
const applyPatch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Use the `apply_patch` tool to edit files. Do not wrap the patch in JSON.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
}
/** openai/codex#33263: each MCP server is a namespace. */
const notes = {
  type: 'namespace',
  name: 'mcp__notes',
  description: 'Tools in the mcp__notes namespace.',
  tools: [
    {
      type: 'function',
      name: 'read_note',
      description: 'Reads a note by its number.',
      strict: false,
      parameters: { type: 'object', properties: { number: { type: 'string' } } },
    },
  ],
}
const search = { type: 'web_search', external_web_access: false }
const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-milk\n+"oat" milk\n*** End Patch\n'

type Item = Record<string, unknown>
const question: Item[] = [
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<permissions>…' }] },
  {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: '<environment_context>\n  <cwd>/tmp</cwd>' }],
  },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is here?' }] },
]

/** codex-api/src/common.rs, `ResponsesApiRequest`: every turn sends all of it, and nothing is stored. */
const request = (model: string, input: Item[], tools: object[] = [shell, applyPatch, search]) => ({
  model,
  instructions: 'You are Codex, a coding agent.',
  input,
  tools,
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'high', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: conversation,
  text: { verbosity: 'low' },
  client_metadata: { 'x-codex-installation-id': 'i-1' },
})

const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.close())

const post = (body: unknown, key = stage.person.key, path = '/v1/responses') =>
  fetch(`${stage.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const ask = async (model: Model, input: Item[], tools?: object[]): Promise<CodexAnswer> => {
  const response = await post(request(model.model, input, tools))
  expect(response.status).toBe(200)
  return sayingOf(response)
}

/** protocol/src/models.rs: an item goes back as it was done, without its id and status. */
const backOf = (items: Item[]): Item[] => items.map(({ id: _, status: __, ...item }) => item)

describe('before the first question', () => {
  it('the catalogue is there, with the version in the query', async () => {
    // codex-api/src/endpoint/models.rs
    const { model } = await stage.model('openai-responses')
    const list = await fetch(`${stage.url}/v1/models?client_version=0.130.0`, {
      headers: { authorization: `Bearer ${stage.person.key}`, ...headers },
    })
    const { data } = (await list.json()) as { data: { id: string }[] }
    expect([list.status, data.some(each => each.id === model)]).toEqual([200, true])
  })
})

describe('an upstream of its own dialect', () => {
  it.each(['/v1/responses', '/responses'])('gets the same bytes and headers (%s)', async path => {
    const model = await stage.model('openai-responses', { model_mapping: '{}' })
    const answer = answers('openai-responses', 'It is empty.')
    model.next(answer)
    const item = { type: 'item_of_tomorrow', encrypted_content: 'gAAAA+/==', v: 1.5 }
    const body = JSON.stringify(request(model.model, [...question, item]), null, 1)
    const response = await post(body, stage.person.key, path)
    expect(await response.text()).toBe(answer.say.join(''))
    const [seen] = model.requests
    expect([seen?.path, seen?.text]).toEqual(['/v1/responses', body])
    expect(seen?.headers).toMatchObject(headers)
    expect(seen?.headers.authorization).toMatch(/^Bearer sk-vendor-/)
    // core/src/api_bridge.rs: Codex shows this id with an error.
    expect(response.headers.get('x-request-id')).toMatch(/^\d+$/)
  })
})

describe.each(kinds)('a conversation with tools, through %s', (kind: Kind) => {
  const call = { name: 'shell', args: { command: 'ls -la' } }

  it('thinks, calls, is given the result, answers; what was encrypted comes back', async () => {
    const model = await stage.model(kind)
    model.next(calls(kind, call), answers(kind, 'One file, a.txt.'))
    const amounts = await stage.charged(async () => {
      const first = await ask(model, question)
      // sse/responses.rs: items are taken from `done`; without `completed` the turn fails.
      expect(first.items.map(each => each.type)).toEqual(
        expect.arrayContaining(['reasoning', 'function_call']),
      )
      const made = first.items.find(each => each.type === 'function_call')!
      expect([made.name, JSON.parse(String(made.arguments))]).toEqual(['shell', call.args])
      expect(first.reasoning).toBe(thought)
      expect(first.completed?.usage).toEqual({
        input_tokens: usage.input,
        input_tokens_details: expect.objectContaining({ cached_tokens: usage.cached }),
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: usage.reasoning },
        total_tokens: usage.input + usage.output,
      })
      const result = { type: 'function_call_output', call_id: made.call_id, output: 'a.txt\n' }
      const second = await ask(model, [...question, ...backOf(first.items), result])
      expect(second.text).toBe('One file, a.txt.')
      expect(second.completed?.id).toMatch(/\S/)
    })
    expect(amounts).toHaveLength(2)
    const shown = shownTo(kind, model.requests[1]!)
    expect(shown).toMatchObject({ name: 'shell', args: call.args, proof: proofOf(kind) })
    expect(shown.result).toContain('a.txt')
  })

  it('a freeform tool is called with its bare text, and its result comes back', async () => {
    const model = await stage.model(kind)
    const isOwn = kind === 'openai-responses'
    model.next(isOwn ? patching : calls(kind, { name: 'apply_patch', args: { input: patch } }))
    model.next(answers(kind, 'Done, it says oat.'))
    const first = await ask(model, question)
    const made = first.items.find(each => each.type === 'custom_tool_call')
    expect(made).toMatchObject({ name: 'apply_patch', input: patch })
    const result = { type: 'custom_tool_call_output', call_id: made?.call_id, output: 'Success.' }
    const second = await ask(model, [...question, ...backOf(first.items), result])
    expect(second.text).toBe('Done, it says oat.')
    const again = JSON.stringify(model.requests[1]?.body)
    expect(again).toContain('Success.')
    // The encoding of the vendor itself, wherever its body contains the text.
    expect(again.replaceAll('\\\\', '\\')).toContain(JSON.stringify(patch).slice(1, 30))
  })

  it('calls the tool of an MCP server by its namespace and name, and is given the result', async () => {
    const model = await stage.model(kind)
    const args = { number: '1' }
    const isOwn = kind === 'openai-responses'
    const name = isOwn ? 'read_note' : 'mcp__notes__read_note'
    model.next(isOwn ? readingNote : calls(kind, { name, args }), answers(kind, 'Buy milk.'))
    const first = await ask(model, question, [shell, notes])
    const made = first.items.find(each => each.type === 'function_call')!
    expect(made).toMatchObject({ namespace: 'mcp__notes', name: 'read_note' })
    expect(JSON.parse(String(made.arguments))).toEqual(args)
    const result = { type: 'function_call_output', call_id: made.call_id, output: 'milk' }
    const second = await ask(model, [...question, ...backOf(first.items), result], [shell, notes])
    expect(second.text).toBe('Buy milk.')
    const [declared, again] = model.requests
    expect(JSON.stringify(declared?.body.tools)).toContain(`"${name}"`)
    expect(shownTo(kind, again!)).toMatchObject({ name, args })
    expect(await stage.notes()).not.toContain('namespace')
  })

  it('nothing that only its own vendor understands arrives elsewhere', async () => {
    const model = await stage.model(kind)
    model.next(answers(kind, 'Yes, I am here.'))
    await ask(model, question)
    const [seen] = model.requests
    const sent = JSON.stringify(seen?.body)
    const isOwn = kind === 'openai-responses'
    for (const name of Object.keys(headers).filter(each => each !== 'user-agent'))
      expect([name, seen?.headers[name] !== undefined]).toEqual([name, isOwn])
    for (const field of ['reasoning.encrypted_content', 'client_metadata', 'external_web_access'])
      expect([field, sent.includes(field)]).toEqual([field, isOwn])
    expect(sent).toContain('You are Codex')
    if (!isOwn) expect(await stage.notes()).toContain('client_metadata')
  })
})

/** https://platform.openai.com/docs/guides/function-calling#custom-tools */
const customCall = {
  id: 'ctc_6890e972fa7c',
  type: 'custom_tool_call',
  status: 'completed',
  call_id: 'call_aGiFQkRWSWAIsMQ19fKqxUgb',
  name: 'apply_patch',
  input: patch,
}
const noteCall = {
  id: 'fc_6876cf02e0be',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_unLAR8MvFNptuiZK6K6HCy5k',
  namespace: 'mcp__notes',
  name: 'read_note',
  arguments: '{"number":"1"}',
}
const readingNote: Answer = {
  say: responses([
    ['response.output_item.done', { output_index: 0, item: noteCall }],
    ['response.completed', { response: responseOf('completed', [noteCall]) }],
  ]),
}
const patching: Answer = {
  say: responses([
    [
      'response.output_item.added',
      { output_index: 0, item: { ...customCall, status: 'in_progress', input: '' } },
    ],
    [
      'response.custom_tool_call_input.delta',
      { item_id: customCall.id, output_index: 0, delta: patch },
    ],
    [
      'response.custom_tool_call_input.done',
      { item_id: customCall.id, output_index: 0, input: patch },
    ],
    ['response.output_item.done', { output_index: 0, item: customCall }],
    ['response.completed', { response: responseOf('completed', [customCall]) }],
  ]),
}

describe('failures inside a stream', () => {
  /** The vendor starts a stream and sends the error twice; Codex reads the second event. */
  const failing = (code: string, message: string): Answer => {
    const events = responses([
      ['error', { error: { type: 'server_error', code, message, param: null } }],
      ['response.failed', { response: responseOf('failed', [], { error: { code, message } }) }],
    ])
    return { say: [...events.slice(0, 2), 100, ...events.slice(2)] }
  }

  it.each([
    [
      'context_length_exceeded',
      'Your input exceeds the context window of this model.',
      'context_length_exceeded',
      /exceeds the context window/,
    ],
    [
      'rate_limit_exceeded',
      'Rate limit reached for gpt-5.1 in organization org-AAA on tokens per min (TPM): Limit 30000, Used 22999, Requested 12528. Please try again in 11.054s.',
      'rate_limit_exceeded',
      /try again in 12s/,
    ],
    ['invalid_prompt', 'Invalid prompt: your prompt was flagged.', 'invalid_prompt', /was flagged/],
    [
      'server_is_overloaded',
      'Our servers are currently overloaded. Please try again later.',
      'server_is_overloaded',
      /overloaded/,
    ],
  ])('%s keeps its code', async (code, message, shown, sentence) => {
    // sse/responses.rs: these codes decide whether it compacts, waits so many seconds, or gives up.
    const model = await stage.model('openai-responses')
    model.next(failing(code, message))
    const amounts = await stage.charged(async () => {
      const { failed, completed } = await ask(model, question)
      expect(completed).toBeUndefined()
      expect(failed?.code).toBe(shown)
      expect(failed?.message).toMatch(sentence)
      // The caller must not learn the operator's account at the vendor.
      expect(failed?.message).not.toContain('org-AAA')
    })
    // Nothing of an answer was delivered.
    expect(amounts).toEqual([])
  })

  it('an empty account of the operator is not reported as the caller’s', async () => {
    const model = await stage.model('openai-responses')
    model.next(failing('insufficient_quota', 'You exceeded your current quota.'))
    const { failed } = await ask(model, question)
    expect(failed?.code).not.toBe('insufficient_quota')
  })

  it('a stream that breaks off ends with a failure that it retries', async () => {
    const model = await stage.model('openai-chat')
    model.next({ say: answers('openai-chat', 'Never to be finished.').say.slice(0, 2) })
    const { failed, completed, text } = await ask(model, question)
    expect([completed, text]).toEqual([undefined, 'Never to '])
    expect(failed?.code).toBe('upstream_broken')
  })
})

describe('refusals, retries and silence', () => {
  /** codex-client/src/retry.rs: 5xx and what breaks, never 429; 200 ms, then twice as long each time. */
  const patiently = async (model: Model, attempts = 5) => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < attempts; attempt++) {
      const response = await post(request(model.model, question))
      statuses.push(response.status)
      if (response.status < 500) return { statuses, read: await sayingOf(response) }
      await response.body?.cancel()
      await new Promise(resolve => setTimeout(resolve, 200 * 2 ** attempt))
    }
    return { statuses, read: undefined }
  }
  const json = { 'content-type': 'application/json', 'retry-after': '0.1' }

  it.each([
    [
      'openai-responses',
      500,
      '{"error":{"message":"Oops","type":"server_error","param":null,"code":null}}',
    ],
    [
      'openai-responses',
      503,
      '{"error":{"message":"Full","type":"server_error","param":null,"code":"server_is_overloaded"}}',
    ],
    [
      'anthropic',
      529,
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    ],
  ] as const)('%s answers %i: Codex asks again, and is answered', async (kind, status, body) => {
    const model = await stage.model(kind)
    model.next({ status, headers: json, say: [body] }, answers(kind, 'Here I am at last.'))
    const amounts = await stage.charged(async () => {
      const { statuses, read } = await patiently(model)
      expect(statuses[0]).toBeGreaterThanOrEqual(500)
      expect(read?.text).toBe('Here I am at last.')
    })
    expect(amounts).toHaveLength(1)
  })

  it('a spent balance and a full limit are 429, which it does not repeat', async () => {
    const model = await stage.model('openai-responses')
    const poor = await stage.hub.admin.addPerson(0)
    const spent = await post(request(model.model, question), poor.key)
    expect(spent.status).toBe(429)
    expect(await spent.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
    expect(spent.headers.get('x-should-retry')).toBe('false')
    model.next({
      status: 429,
      headers: json,
      say: ['{"error":{"message":"Slow down","type":"requests","code":"rate_limit_exceeded"}}'],
    })
    const full = await post(request(model.model, question))
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await full.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
  })

  it('the vendor’s own refusal arrives unchanged; a stranger is a stranger', async () => {
    const model = await stage.model('openai-responses')
    const body =
      '{"error":{"message":"Encrypted content could not be verified.","type":"invalid_request_error","param":null,"code":"invalid_encrypted_content"}}'
    model.next({ status: 400, headers: json, say: [body] })
    const refused = await post(request(model.model, question))
    expect([refused.status, await refused.text()]).toEqual([400, body])
    const stranger = await post(request(model.model, question), 'sk-nobody')
    expect([stranger.status, await codeOf(stranger)]).toEqual([401, 'invalid_api_key'])
  })

  it.each(['openai-responses', 'anthropic'] as const)(
    'while %s is silent there are events, because comments do not count',
    retryTiming,
    async kind => {
      // model-provider-info/src/lib.rs: stream_idle_timeout_ms is 300,000; sse/responses.rs waits for the next *event*.
      // CLOCK_OFFSET_FILE moves the wall clock, and limits run on one that never jumps: so the interval is made short.
      await stage.hub.admin.setOption('PingSeconds', '1')
      try {
        const model = await stage.model(kind)
        const { say } = answers(kind, 'It took me a while.')
        model.next({ say: [...say.slice(0, 2), 1_600, ...say.slice(2)] })
        const read = await ask(model, question)
        expect(read.text).toBe('It took me a while.')
        expect(read.ignored.filter(each => each === 'keepalive').length).toBeGreaterThanOrEqual(1)
        expect(read.longestSilence).toBeLessThan(1_500)
      } finally {
        await stage.hub.admin.setOption('PingSeconds', '15')
      }
    },
  )
})
