import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Vendor } from '../../conformance/cell.ts'
import { readRows } from '../../conformance/log-notes.ts'
import type { NeutralResponse } from '../../conformance/neutral.ts'
import { addVendorChannels } from '../../conformance/run.ts'
import { vendors } from '../../conformance/vendors/index.ts'
import { openaiResponses } from '../../conformance/vendors/openai-responses/vendor.ts'
import { describeOneEngine } from '../../harness/runner/describe-engines.ts'
import { type Event, isEnd, openSocket } from '../../harness/sockets/client.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import { playAnswers } from './play-answers.ts'
import { response, streamed } from './schema.ts'

// Items that Codex sends and expects, to vendors of every dialect: https://github.com/openai/codex/pull/22809

const usage = { input: 20, output: 6 }
const summary: NeutralResponse = { pieces: [{ text: 'The word is slate.' }], finish: 'stop', usage }
const text: NeutralResponse = { pieces: [{ text: 'One two three.' }], finish: 'stop', usage }
const searches: NeutralResponse = {
  pieces: [{ call: 'tool_search', id: 'call_1', input: { query: 'calendar', limit: 2 } }],
  finish: 'tools',
  usage,
}
const nothing: NeutralResponse = { pieces: [], finish: 'stop', usage }

const message = (role: string, content: string) => ({ type: 'message', role, content })
const earlier = [message('user', 'Remember the word: slate.'), message('assistant', 'OK.')]
const trigger = { type: 'compaction_trigger' }
const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.' }
const schema = { type: 'object', properties: { day: { type: 'string' } } }
const found = [
  {
    ...{ type: 'namespace', name: 'mcp__cal', description: 'Dates.' },
    tools: [{ type: 'function', name: 'list', parameters: schema, defer_loading: true }],
  },
]

const ways = ['whole', 'stream', 'socket'] as const
type Way = (typeof ways)[number]

/** A vendor of the dialect that stores responses, and cannot compact them. */
const xai: Vendor = {
  ...openaiResponses,
  channel: { type: 56 },
  models: { usual: 'grok-4', older: 'grok-4' },
}
const native = vendors.filter(each => each.dialect === 'openai-responses')
const translated = vendors.filter(each => each.dialect !== 'openai-responses')

describeOneEngine(engine => {
  let hub: TestHub
  let key: string
  beforeAll(async () => {
    hub = await startTestHub(engine)
    key = (await addVendorChannels(hub, [...vendors, xai])).key
    await hub.admin.setOption('KeepResponsesEnabled', 'true')
  })
  afterAll(async () => {
    await hub?.settled()
    await hub?.audit()
    await hub?.close()
  })

  const authorization = () => ({ authorization: `Bearer ${key}` })
  const lastSent = () => hub.upstream.served.at(-1)!.body.toString()

  const post = async (path: string, body: object) => {
    const result = await fetch(`${hub.gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization() },
      body: JSON.stringify(body),
    })
    return { status: result.status, text: await result.text() }
  }

  /** The response to a request, which its schema accepts, however it is asked for. */
  const ask = async (way: Way, body: object): Promise<Event> => {
    if (way === 'socket') {
      const client = await openSocket(`${hub.gateway.url}/v1/responses`, authorization())
      client.send({ type: 'response.create', store: false, ...body })
      const last = await client.next(isEnd)
      client.socket.close()
      return checked(last.response, client.events)
    }
    const result = await post('/v1/responses', { ...body, stream: way === 'stream' })
    expect([result.status, result.text.slice(0, result.status === 200 ? 0 : 500)]).toEqual([
      200,
      '',
    ])
    if (way === 'whole') return checked(JSON.parse(result.text), [])
    const events = result.text
      .split('\n')
      .flatMap(line => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
    return checked(events.at(-1).response, events)
  }
  const checked = (last: Event, events: readonly Event[]): Event => {
    expect(events.flatMap((each, at) => streamed(each, `event ${at}`))).toEqual([])
    expect(response(last, 'response')).toEqual([])
    return last
  }

  const noteOf = async (model: string): Promise<string> => {
    await hub.settled()
    const rows = await readRows(hub.admin)
    const notes = rows
      .filter(each => each.model_name === model)
      .flatMap(each => each.metadata.notes)
    return notes.join('; ')
  }

  describe.each([...translated, xai])('a vendor of $dialect with $models.usual', vendor => {
    it.each(ways)('compacts a conversation that ends with the trigger (%s)', async way => {
      const model = playAnswers(hub, vendor, summary, text)
      const compacted = await ask(way, { model, input: [...earlier, trigger] })
      expect(lastSent()).toContain('Remember the word: slate.')
      expect(lastSent()).toContain('Write a summary of the conversation above.')
      expect(lastSent()).not.toContain('compaction_trigger')
      expect(compacted.status).toBe('completed')
      expect(compacted.output).toMatchObject([{ type: 'compaction' }])
      expect(compacted.usage).toMatchObject({ input_tokens: 20, output_tokens: 6 })

      const input = [...compacted.output, message('user', 'The word?')]
      expect((await ask(way, { model, input })).output).toMatchObject([{ type: 'message' }])
      expect(lastSent()).toContain('The word is slate.')
      expect(lastSent()).not.toContain('encrypted_content":"summary')
    })

    it('is asked for a summary by the address that compacts, and every vendor reads it', async () => {
      const model = playAnswers(hub, vendor, summary)
      const { status, text: body } = await post('/v1/responses/compact', { model, input: earlier })
      expect(status).toBe(200)
      const { output } = JSON.parse(body)
      expect(output.map((each: Event) => each.type)).toEqual(['message', 'compaction'])
      for (const other of vendors) {
        const next = { model: playAnswers(hub, other, text), input: output, store: false }
        await ask('whole', next)
        expect(lastSent()).toContain('The word is slate.')
        expect(lastSent()).not.toContain('encrypted_content":"summary')
      }
    })

    it('loses no conversation where it writes no summary', async () => {
      const model = playAnswers(hub, vendor, nothing)
      const { status, text: body } = await post('/v1/responses/compact', { model, input: earlier })
      expect(status === 200 ? JSON.parse(body).status : status).not.toBe('completed')
      expect(body).not.toContain('"compaction"')
    })

    it.each(['/v1/responses', '/v1/responses/compact'])(
      'refuses a misplaced trigger at %s',
      async path => {
        const model = playAnswers(hub, vendor, text)
        const before = hub.upstream.served.length
        const result = await post(path, { model, input: [trigger, ...earlier] })
        expect([result.status, JSON.parse(result.text).error.type]).toEqual([
          400,
          'invalid_request_error',
        ])
        expect(result.text).toContain("'compaction_trigger' must be the last item of 'input'.")
        expect(hub.upstream.served.length).toBe(before)
      },
    )
  })

  describe.each(translated)('a vendor of $dialect', vendor => {
    it('compacts a stored response, and continues without what was compacted', async () => {
      const model = playAnswers(hub, vendor, text, summary, text)
      const first = await ask('whole', { model, input: 'Remember the word: slate.' })
      const second = await ask('whole', { model, input: [trigger], previous_response_id: first.id })
      expect(lastSent()).toContain('Remember the word: slate.')
      expect(second.output).toMatchObject([{ type: 'compaction' }])
      await ask('whole', { model, input: 'The word?', previous_response_id: second.id })
      expect(lastSent()).toContain('The word is slate.')
      expect(lastSent()).not.toContain('Remember the word')
    })

    it('compacts a stored response by the address that compacts', async () => {
      const model = playAnswers(hub, vendor, text, summary)
      const first = await ask('whole', { model, input: 'Remember the word: slate.' })
      const body = { model, previous_response_id: first.id }
      const { status, text: answer } = await post('/v1/responses/compact', body)
      expect([status, JSON.parse(answer).object]).toEqual([200, 'response.compaction'])
      expect(lastSent()).toContain('Remember the word: slate.')
      const stored = await fetch(`${hub.gateway.url}/v1/responses/${JSON.parse(answer).id}`, {
        headers: authorization(),
      })
      expect(stored.status).toBe(404)
    })

    it('does not get the compaction of another vendor, and the log notes it', async () => {
      const model = playAnswers(hub, vendor, text)
      const foreign = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABpM0Yj' }
      await ask('whole', { model, input: [foreign, ...earlier, message('user', 'And?')] })
      expect(lastSent()).not.toContain('gAAAA')
      expect(await noteOf(model)).toContain('compaction')
    })

    it.each(ways)('lets the caller search tools, and declares what it found (%s)', async way => {
      const model = playAnswers(hub, vendor, searches, text)
      const tools = [search]
      const first = await ask(way, { model, input: [earlier[0]], tools })
      const item = { type: 'tool_search_call', execution: 'client', status: 'completed' }
      expect(first.output).toMatchObject([{ ...item, arguments: { query: 'calendar', limit: 2 } }])
      const [{ call_id }] = first.output
      const output = { type: 'tool_search_output', call_id, execution: 'client', tools: found }
      const input = [earlier[0], ...first.output, { ...output, status: 'completed' }]
      await ask(way, { model, input, tools })
      expect(lastSent()).toContain('mcp__cal__list')
      expect(lastSent()).toContain('"day"')
      expect(lastSent()).not.toMatch(/tool_search_|defer_loading/)
    })

    it('refuses the output of a search that nobody made on a connection', async () => {
      const model = playAnswers(hub, vendor, text)
      const client = await openSocket(`${hub.gateway.url}/v1/responses`, authorization())
      const create = { type: 'response.create', store: false, model }
      client.send({ ...create, input: 'Hi.' })
      const { id } = (await client.next(isEnd)).response
      const orphan = { type: 'tool_search_output', call_id: 'call_of_nobody', tools: found }
      client.send({ ...create, input: [orphan], previous_response_id: id })
      expect(await client.next(isEnd)).toMatchObject({ type: 'error', status: 400 })
      client.socket.close()
    })

    it('does not drop a search of the vendor in silence', async () => {
      const model = playAnswers(hub, vendor, text)
      await ask('whole', { model, input: 'Hi.', tools: [{ type: 'tool_search' }] })
      expect(await noteOf(model)).toContain('tool_search')
    })
  })

  describe.each(native)('a vendor of $dialect itself', vendor => {
    it.each(['whole', 'stream'] as const)('gets these items byte for byte (%s)', async way => {
      const model = playAnswers(hub, vendor, text)
      const output = { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: found }
      const call = { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: {} }
      const foreign = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABpM0Yj' }
      const input = [foreign, ...earlier, call, output, trigger]
      const body = { model, input, tools: [search], store: false, stream: way === 'stream' }
      const { status } = await post('/v1/responses', body)
      expect([status, lastSent()]).toEqual([200, JSON.stringify(body)])
    })

    it('compacts by its own address, byte for byte', async () => {
      const body = { model: playAnswers(hub, vendor, text), input: earlier }
      const { status, text: answer } = await post('/v1/responses/compact', body)
      expect([status, lastSent()]).toEqual([200, JSON.stringify(body)])
      expect(hub.upstream.served.at(-1)!.path).toMatch(/\/responses\/compact$/)
      expect(JSON.parse(answer).output).toMatchObject([{ encrypted_content: 'gAAAAABpM0Yj' }])
    })
  })
})
