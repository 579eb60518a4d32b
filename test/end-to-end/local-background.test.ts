import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { change, chargesOf, query } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { answers, usage } from './all/clients/answers.ts'
import { type Account, type Answer, startVendor, type Vendor } from './all/clients/vendor.ts'
import { wholeAnswers } from './all/clients/whole-answers.ts'

// Responses in the background that the gateway makes itself, because their vendor has no such mode. On PostgreSQL they
// are made by one node and read and cancelled at another.

const price = usage.input + usage.output
type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming

describeEnginesInParallel(engine => {
  let hub: TestHub
  let vendor: Vendor
  let person: Person
  let model = ''
  let account: Account
  let made = 0

  beforeAll(async () => {
    hub = await startTestHub(engine, { instances: engine.name === 'SQLite' ? 1 : 2 })
    vendor = await startVendor()
    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    await hub.admin.setOption('KeepResponsesEnabled', 'true')
    await hub.admin.api('POST', '/api/prices/single', {
      ...{ model: 'later-*', type: 'tokens', input: 1, output: 1, channel_type: 1 },
      extra_ratios: { cached_tokens: 1, cached_read_tokens: 1, reasoning_tokens: 1 },
    })
  })
  afterAll(async () => {
    await hub?.close()
    await vendor?.close()
  })
  beforeEach(async () => {
    ;({ model, account } = await addModel())
    person = await hub.admin.addPerson(1_000_000)
  })

  const addModel = async () => {
    const name = `later-${++made}`
    const upstream = vendor.account()
    const model_mapping = JSON.stringify({ [name]: '+claude-opus-4-6' })
    await hub.admin.addChannel(upstream.url, { type: 14, models: name, model_mapping })
    return { model: name, account: upstream }
  }
  /** The client of the node that makes the responses, or of another one where there is one. */
  const clientAt = (at: number, key = person.key) =>
    new OpenAI({
      apiKey: key,
      baseURL: `${hub.gateways[at % hub.gateways.length]?.url}/v1`,
      maxRetries: 0,
    })
  const create = (params: Partial<Params> = {}) =>
    clientAt(0).responses.create({ model, input: 'Take your time.', background: true, ...params })
  const retrieve = (id: string, at = 1) => clientAt(at).responses.retrieve(id)
  const ended = (id: string, status: string) =>
    until(`it is ${status}`, async () => {
      const response = await retrieve(id)
      return response.status === status ? response : undefined
    })
  const charges = async () => {
    await hub.settled()
    return (await chargesOf(hub.gateway, person.id)).map(each => each.amount)
  }
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it was answered'),
      (error: { status: number; code: string; message: string }) => error,
    )
  const withGate = ({ say, ...answer }: Answer, piecesBefore = 0) => {
    const gate = Promise.withResolvers<void>()
    const pieces = [...say.slice(0, piecesBefore), gate.promise, ...say.slice(piecesBefore)]
    return { open: gate.resolve, answer: { ...answer, say: pieces } }
  }
  const whenRequested = () => until('the vendor is asked', async () => account.requests.length > 0)

  it('answers at once, and shows the answer once it is there, charged once', async () => {
    const { open, answer } = withGate(wholeAnswers('anthropic', 'It took a while.'))
    account.next(answer)
    const metadata = { purpose: 'test' }
    const queued = await create({ metadata })
    expect(queued).toMatchObject({
      status: 'queued',
      background: true,
      output: [],
      model,
      metadata,
    })
    await whenRequested()
    const running = await retrieve(queued.id)
    expect(running).toMatchObject({ ...bare(queued), status: 'in_progress' })
    open()
    const done = await ended(queued.id, 'completed')
    expect(done.output_text).toBe('It took a while.')
    expect(done).toMatchObject({
      ...{ id: queued.id, background: true, store: true, created_at: queued.created_at, metadata },
      error: null,
    })
    expect(account.requests).toHaveLength(1)
    expect(account.requests[0]?.text).not.toMatch(/background|store|resp_/)
    expect(await charges()).toEqual([price])
    const [log] = await query(hub.gateway, `select quota from logs where user_id = ${person.id}`)
    expect(Number(log?.quota)).toBe(price)

    account.next(wholeAnswers('anthropic', 'And on.'))
    const next = await create({ input: 'Go on.', previous_response_id: queued.id })
    expect((await ended(next.id, 'completed')).output_text).toBe('And on.')
    expect(account.requests[1]?.text).toContain('It took a while.')
    const items = []
    for await (const item of clientAt(1).responses.inputItems.list(next.id)) items.push(item)
    expect(items).toHaveLength(3)
    await clientAt(1).responses.delete(queued.id)
    expect(await failure(retrieve(queued.id))).toMatchObject({ status: 404 })
  })

  it('streams to a caller, and goes on without one', async () => {
    const { open, answer } = withGate(answers('anthropic', 'Said to nobody.'), 3)
    account.next(answer)
    const stream = await clientAt(0).responses.create({
      ...{ model, input: 'Tell me.', background: true, stream: true },
    })
    let id = ''
    for await (const event of stream) {
      if (event.type !== 'response.created') continue
      id = event.response.id
      expect(event.response.background).toBe(true)
      break
    }
    await until('the caller has left', async () => stream.controller.signal.aborted)
    expect((await retrieve(id)).status).toBe('in_progress')
    open()
    expect((await ended(id, 'completed')).output_text).toBe('Said to nobody.')
    expect(await charges()).toEqual([price])

    account.next(answers('anthropic', 'Heard to the end.'))
    const whole = await clientAt(0)
      .responses.stream({ model, input: 'Tell me.', background: true })
      .finalResponse()
    expect(whole).toMatchObject({ status: 'completed', background: true, store: true })
    expect((await retrieve(whole.id)).output_text).toBe('Heard to the end.')
    expect(await charges()).toEqual([price, price])
  })

  it('fails with the error that a caller would have got, and is free', async () => {
    account.next({
      status: 500,
      headers: { 'content-type': 'application/json' },
      say: ['{"type":"error","error":{"type":"api_error","message":"Out of luck."}}'],
    })
    const { id } = await create()
    const { error, output } = await ended(id, 'failed')
    expect(error?.message).toMatch(/\w/)
    expect(error?.code).toMatch(/\w/)
    expect(output).toEqual([])
    expect(await failure(create({ previous_response_id: id }))).toMatchObject({
      code: 'previous_response_not_found',
    })
    expect(await charges()).toEqual([])
  })

  it('is cancelled at any node, which ends the request to the vendor', async () => {
    const { open, answer } = withGate(wholeAnswers('anthropic', 'Nobody waits for it.'))
    account.next(answer)
    const { id } = await create()
    await whenRequested()
    expect(await failure(clientAt(1).responses.delete(id))).toMatchObject({ status: 409 })
    expect(await failure(create({ previous_response_id: id }))).toMatchObject({
      code: 'previous_response_not_found',
    })
    const cancelled = await clientAt(1).responses.cancel(id)
    expect(cancelled).toMatchObject({ id, status: 'cancelled', output: [] })
    await hub.settled()
    open()
    expect(await clientAt(0).responses.cancel(id)).toMatchObject({ status: 'cancelled' })
    expect(await retrieve(id)).toMatchObject({ status: 'cancelled' })
    expect(await charges()).toEqual([])

    account.next(wholeAnswers('anthropic', 'Too late to cancel.'))
    const next = await create()
    await ended(next.id, 'completed')
    expect(await clientAt(1).responses.cancel(next.id)).toMatchObject({ status: 'completed' })
    expect(await charges()).toEqual([price])
  })

  it('counts for the space of its user from its beginning', async () => {
    account.next(wholeAnswers('anthropic', 'Large.'))
    const { id: large } = await create()
    await ended(large, 'completed')
    await change(hub.gateway, `update stored_answers set size = 300000000 where id = '${large}'`)
    const { open, answer } = withGate(wholeAnswers('anthropic', 'Newer.'))
    account.next(answer)
    const { id } = await create()
    expect(await failure(retrieve(large))).toMatchObject({ status: 404 })
    expect((await retrieve(id)).status).toBe('in_progress')
    open()
    await ended(id, 'completed')
  })

  it('is answered again for the same Idempotency-Key', async () => {
    account.next(wholeAnswers('anthropic', 'Once.'))
    const params = { model, input: 'Only once.', background: true } as const
    const options = { headers: { 'idempotency-key': `background-${model}` } }
    const first = await clientAt(0).responses.create(params, options)
    const second = await clientAt(0).responses.create(params, options)
    expect(second.id).toBe(first.id)
    await ended(first.id, 'completed')
    expect(account.requests).toHaveLength(1)
    expect(await charges()).toEqual([price])
  })

  it('is made by the next candidate of a virtual model, under the same id', async () => {
    const other = await addModel()
    const name = `later-virtual-${made}`
    await hub.admin.api('POST', '/api/virtual_model/', {
      name,
      candidates: [model, other.model].map((each, tier) => ({ model: each, tier: tier + 1 })),
    })
    account.next({ status: 500, say: ['no'] })
    other.account.next(wholeAnswers('anthropic', 'From the second.'))
    const { id } = await create({ model: name })
    expect((await ended(id, 'completed')).output_text).toBe('From the second.')
    expect(await charges()).toEqual([price])
  })

  it('refuses at once what it cannot make, and hides everything from others', async () => {
    const poor = await hub.admin.addPerson(1)
    const stranger = await hub.admin.addPerson(1_000)
    const params = { model, input: 'Now.', background: true } as const
    expect(await failure(clientAt(0, poor.key).responses.create(params))).toMatchObject({
      code: 'insufficient_quota',
    })
    expect(await failure(create({ store: false }))).toMatchObject({
      status: 400,
      message: expect.stringContaining("'store'"),
    })
    expect(await failure(create({ model: 'later-unknown' }))).toMatchObject({ status: 404 })
    const { open, answer } = withGate(wholeAnswers('anthropic', 'Mine.'))
    account.next(answer)
    const { id } = await create()
    const foreign = clientAt(1, stranger.key).responses
    for (const work of [
      () => foreign.retrieve(id),
      () => foreign.cancel(id),
      () => foreign.delete(id),
    ])
      expect(await failure(work())).toMatchObject({ status: 404 })
    open()
    await ended(id, 'completed')
    await hub.admin.setOption('KeepResponsesEnabled', 'false')
    expect(await failure(create())).toMatchObject({
      status: 400,
      message: expect.stringContaining('stores its responses'),
    })
    expect((await retrieve(id)).output_text).toBe('Mine.')
    await hub.admin.setOption('KeepResponsesEnabled', 'true')
  })
})

/** Fields that the client adds. */
const bare = ({
  output_text: _,
  _request_id: __,
  ...response
}: object & { output_text?: unknown; _request_id?: unknown }) => response
