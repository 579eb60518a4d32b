import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { chargesOf, query } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { answers, calls, proofOf, shownTo, usage } from './all/clients/answers.ts'
import { type Kind, kinds } from './all/clients/stage.ts'
import { type Account, startVendor, type Vendor } from './all/clients/vendor.ts'
import { wholeAnswers, wholeCalls } from './all/clients/whole-answers.ts'

// Answers that the gateway keeps itself, where no vendor does and the operator wants it. Their keeping is what the
// official client sees of it; the vendors are scripted, and none of them keeps anything.

const tool = {
  type: 'function' as const,
  name: 'read_file',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  strict: false,
}
const call = { name: tool.name, args: { path: 'secret-plans.txt' } }
const price = usage.input + usage.output

/** The client does not name this field. */
type Response = OpenAI.Responses.Response & { store?: boolean }

/** `openai-responses`: a vendor of this dialect that stores no responses. */
const channels: Record<Kind, { type: number; as: string; more?: object }> = {
  anthropic: { type: 14, as: 'claude-opus-4-6' },
  'openai-chat': { type: 1, as: 'deepseek-v4', more: { compatible_response: true } },
  'openai-responses': { type: 20, as: 'gpt-5.1-codex-max' },
  gemini: { type: 25, as: 'gemini-3-pro' },
}
const flat = JSON.stringify({ cached_tokens: 1, cached_read_tokens: 1, reasoning_tokens: 1 })

/** Fields that the client adds to a response assembled from a stream. */
const added = new Set(['parsed', 'output_parsed', '_request_id'])
const bare = (answer: object): object =>
  JSON.parse(JSON.stringify(answer, (key, value) => (added.has(key) ? undefined : value)))

describeEnginesInParallel(engine => {
  let hub: TestHub
  let vendor: Vendor
  let person: Person
  beforeAll(async () => {
    // Nodes on one database, where the engine can have several.
    const instances = engine.name === 'SQLite' ? 1 : 2
    hub = await startTestHub(engine, { instances, env: { LOG_LEVEL: 'debug' } })
    vendor = await startVendor()
    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    await hub.admin.api('POST', '/api/prices/single', {
      model: 'remembered-*',
      type: 'tokens',
      input: 1,
      output: 1,
      channel_type: 1,
      extra_ratios: JSON.parse(flat),
    })
    person = await hub.admin.addPerson(100_000_000)
    await keeps(true)
  })
  afterAll(async () => {
    await hub?.close()
    await vendor?.close()
  })

  /** Every node knows of a change within 300 ms. */
  const settingsApplied = () => sleep(engine.name === 'SQLite' ? 50 : 600)
  const keeps = async (isOn: boolean) => {
    await hub.admin.setOption('KeepResponsesEnabled', String(isOn))
    await settingsApplied()
  }
  const clientOf = (key = person.key, at = 0) =>
    new OpenAI({
      apiKey: key,
      baseURL: `${hub.gateways[at % hub.gateways.length]?.url}/v1`,
      maxRetries: 0,
    })
  let made = 0
  const addModel = async (
    kind: Kind,
    { type, as, more = {} } = channels[kind],
  ): Promise<Account & { model: string }> => {
    const model = `remembered-${++made}`
    const account = vendor.account()
    const model_mapping = JSON.stringify({ [model]: `+${as}` })
    await hub.admin.addChannel(account.url, { type, models: model, model_mapping, ...more })
    await settingsApplied()
    return { ...account, model }
  }
  const failure = (
    work: Promise<unknown>,
  ): Promise<{ status: number; code: string; message: string }> =>
    work.then(
      () => {
        throw new Error('it was answered')
      },
      error => error,
    )
  const chargesIn = async ({ id } = person) => {
    await hub.settled()
    return (await chargesOf(hub.gateway, id)).map(each => each.amount)
  }
  /** Points charged while `work` runs. */
  const charged = async (work: () => Promise<unknown>) => {
    const before = (await chargesIn()).length
    await work()
    return (await chargesIn()).slice(before)
  }
  const notes = async () => {
    await hub.settled()
    const sql = `select metadata from logs where user_id = ${person.id} order by id desc limit 1`
    return JSON.stringify(
      (await until('a log row', async () => (await query(hub.gateway, sql))[0])).metadata,
    )
  }
  const rowsOf = async ({ id } = person) =>
    Number(
      (
        await query(
          hub.gateway,
          `select count(*) as n from stored_answers where user_id = ${id} and size is not null`,
        )
      )[0]?.n,
    )
  const itemsOf = async (id: string, at = 0) => {
    const items = []
    for await (const item of clientOf(person.key, at).responses.inputItems.list(id, {
      order: 'asc',
      limit: 2,
    }))
      items.push(item)
    return items
  }
  type CreateParams = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>
  const create = (
    params: CreateParams,
    isStream = false,
    at = 0,
    key = person.key,
  ): Promise<Response> =>
    isStream
      ? clientOf(key, at)
          .responses.stream(params as never)
          .finalResponse()
      : clientOf(key, at).responses.create(params)
  const say = (kind: Kind, text: string, isStream = false) =>
    isStream ? answers(kind, text) : wholeAnswers(kind, text)

  describe('what no vendor keeps', () => {
    for (const kind of kinds)
      for (const isStream of [false, true])
        it(`is gone on from, read, listed and removed: ${kind}, ${isStream ? 'streamed' : 'whole'}`, async () => {
          const { model, requests: upstreamCalls, next } = await addModel(kind)
          next(
            isStream ? calls(kind, call) : wholeCalls(kind, call),
            say(kind, 'It says: hello.', isStream),
          )
          const amounts = await charged(async () => {
            const common = { model, tools: [tool], reasoning: { effort: 'low' as const } }
            const first = await create(
              { ...common, instructions: 'Be brief.', input: 'What do the plans say?' },
              isStream,
            )
            expect(first).toMatchObject({
              store: true,
              previous_response_id: null,
              status: 'completed',
            })
            const asking = first.output.find(each => each.type === 'function_call')
            expect(asking).toMatchObject({ name: tool.name })
            const result: ResponseInputItem = {
              type: 'function_call_output',
              call_id: asking?.call_id ?? '',
              output: 'Hello, plans!',
            }
            const second = await create(
              { ...common, input: [result], previous_response_id: first.id },
              isStream,
              1,
            )
            expect(second.previous_response_id).toBe(first.id)
            expect(second.output_text).toBe('It says: hello.')

            // The vendor's earlier output byte for byte, without the instructions of the earlier turn.
            const shown = shownTo(kind, upstreamCalls[1]!)
            expect(shown).toMatchObject({ name: tool.name, args: call.args, proof: proofOf(kind) })
            expect(shown.result).toContain('Hello, plans!')
            expect(upstreamCalls[0]?.text).toContain('Be brief.')
            expect(upstreamCalls[1]?.text).toContain('What do the plans say?')
            expect(upstreamCalls[1]?.text).not.toContain('Be brief.')
            expect(upstreamCalls[1]?.text).not.toContain('resp_')
            if (kind === 'openai-responses')
              expect(upstreamCalls.map(each => each.body.store)).toEqual([false, false])

            expect(await clientOf(person.key, 1).responses.retrieve(second.id)).toEqual(
              bare(second),
            )
            const items = await itemsOf(second.id, 1)
            expect(items.map(each => each.type)).toEqual([
              'message',
              ...first.output.map(each => each.type),
              'function_call_output',
            ])
            expect(items[0]).toMatchObject({
              role: 'user',
              content: [{ type: 'input_text', text: 'What do the plans say?' }],
            })
            expect(new Set(items.map(each => each.id)).size).toBe(items.length)

            const client = clientOf()
            await client.responses.delete(second.id)
            expect(await failure(client.responses.retrieve(second.id))).toMatchObject({
              status: 404,
            })
            expect(
              await failure(client.responses.inputItems.list(second.id).then(each => each)),
            ).toMatchObject({ status: 404 })
            const on = { model, input: 'More.', previous_response_id: second.id }
            expect(await failure(client.responses.create(on))).toMatchObject({
              status: 400,
              code: 'previous_response_not_found',
            })
            // The previous response exists until it is deleted too.
            expect((await client.responses.retrieve(first.id)).id).toBe(first.id)
          })
          expect(amounts).toEqual([price, price])
          expect(upstreamCalls).toHaveLength(2)
        })

    it('continues at any vendor, also at one with stored responses, which stores nothing of it', async () => {
      const chain: [Kind, object?][] = [
        ['anthropic'],
        ['gemini'],
        ['openai-responses', { type: 1, as: 'gpt-5.1-codex-max' }],
        ['openai-chat'],
        ['openai-responses'],
      ]
      let previous: string | undefined
      for (const [at, [kind, channel]] of chain.entries()) {
        const { model, requests: upstreamCalls, next } = await addModel(kind, channel as never)
        const isStream = at % 2 === 1
        next(say(kind, `Answer number ${at}.`, isStream))
        const answer = await create(
          {
            model,
            input: `Question ${at}`,
            ...(previous ? { previous_response_id: previous } : {}),
          },
          isStream,
          at,
        )
        expect(answer).toMatchObject({ store: true, output_text: `Answer number ${at}.` })
        expect(answer.id).not.toContain('67c9fdcecf')
        const turns = Array.from({ length: at }, (_, turn) => [
          `Question ${turn}`,
          `Answer number ${turn}.`,
        ])
        const places = [...turns.flat(), `Question ${at}`].map(
          each => upstreamCalls[0]?.text.indexOf(each) ?? -1,
        )
        expect(places).toEqual(places.toSorted((one, other) => one - other))
        expect(places).not.toContain(-1)
        if (kind === 'openai-responses') {
          expect(upstreamCalls[0]?.body.store).toBe(false)
          expect(upstreamCalls[0]?.body).not.toHaveProperty('previous_response_id')
        }
        previous = answer.id
      }
      expect(await itemsOf(previous ?? '')).toHaveLength(9)
    })

    it('outlives a restart, and its beginning can be gone on from more than once', async () => {
      const { model, requests: upstreamCalls, next } = await addModel('anthropic')
      next(...['One.', 'Two.', 'Three.'].map(each => wholeAnswers('anthropic', each)))
      const first = await create({ model, input: 'First.' })
      for (const each of hub.gateways) {
        await each.stop('SIGKILL')
        await each.start()
      }
      for (const input of ['Left.', 'Right.'])
        await create({ model, input, previous_response_id: first.id })
      expect(upstreamCalls[2]?.text).toContain('First.')
      expect(upstreamCalls[2]?.text).not.toContain('Left.')
    })

    it('is not where the caller or the operator does not want it: nothing changes, nothing is written', async () => {
      const { model, requests: upstreamCalls, next } = await addModel('openai-chat')
      next(...Array.from({ length: 4 }, () => wholeAnswers('openai-chat', 'Well.')))
      const client = clientOf()
      const kept = await create({ model, input: 'Before.' })
      const before = await rowsOf()
      const unwanted = await create({ model, input: 'Forget it.', store: false })
      expect(unwanted.store).toBe(false)
      const onceMore = await create({
        model,
        input: 'After.',
        store: false,
        previous_response_id: kept.id,
      })
      expect(onceMore).toMatchObject({ store: false, previous_response_id: kept.id })
      expect(upstreamCalls.at(-1)?.text).toContain('Before.')
      expect(await failure(client.responses.retrieve(onceMore.id))).toMatchObject({ status: 404 })

      await keeps(false)
      const off = await create({ model, input: 'Off.' })
      expect(off.id).toMatch(/^resp_[0-9A-Za-z]{8}chatcmpl-123$/)
      expect(off.store).toBe(false)
      expect(await rowsOf()).toBe(before)
      // A stored response still belongs to its owner.
      next(wholeAnswers('openai-chat', 'On.'))
      const on = await create({ model, input: 'Go on.', previous_response_id: kept.id })
      expect(on.store).toBe(false)
      expect(await rowsOf()).toBe(before)
      expect((await client.responses.retrieve(kept.id)).id).toBe(kept.id)
      await client.responses.delete(kept.id)
      expect(await failure(client.responses.retrieve(kept.id))).toMatchObject({ status: 404 })
      await keeps(true)
    })

    it('does not exist for anybody else', async () => {
      const { model, requests: upstreamCalls, next } = await addModel('gemini')
      next(wholeAnswers('gemini', 'Yours alone.'))
      const { id } = await create({ model, input: 'Mine.' })
      const other = await hub.admin.addPerson(1_000_000)
      const stranger = clientOf(other.key)
      const tries = [
        () => stranger.responses.retrieve(id),
        () => stranger.responses.delete(id),
        () => stranger.responses.cancel(id),
        () => stranger.responses.inputItems.list(id).then(each => each),
      ]
      for (const each of tries) expect(await failure(each())).toMatchObject({ status: 404 })
      const on = { model, input: 'Tell me.', previous_response_id: id }
      for (const each of [
        () => stranger.responses.create(on),
        () => stranger.responses.inputTokens.count(on),
      ])
        expect(await failure(each())).toMatchObject({ code: 'previous_response_not_found' })
      expect(upstreamCalls).toHaveLength(1)
      expect((await clientOf().responses.retrieve(id)).id).toBe(id)
    })

    it('refuses features that need a vendor with stored responses, and nothing is charged', async () => {
      const { model, next } = await addModel('anthropic')
      next(wholeAnswers('anthropic', 'Kept.'))
      const { id } = await create({ model, input: 'Keep it.' })
      const amounts = await charged(async () => {
        const client = clientOf()
        const on = { model, input: 'More.', previous_response_id: id }
        const reference = [{ type: 'item_reference' as const, id: `msg_${id}_0` }]
        const tries = [
          [
            () => client.responses.create({ ...on, conversation: 'conv_1' }),
            'stored by the gateway',
          ],
          [() => client.responses.create({ ...on, input: reference }), 'stored by the gateway'],
          [() => client.responses.cancel(id), 'Only a background response'],
          [() => client.responses.retrieve(id, { stream: true }), 'cannot be streamed'],
          [
            () => client.responses.inputItems.list(id, { limit: 1_000 }).then(each => each),
            'limit',
          ],
        ] as const
        for (const [work, words] of tries)
          expect(await failure(work() as Promise<unknown>)).toMatchObject({
            status: 400,
            message: expect.stringContaining(words),
          })
        expect(
          await failure(client.responses.create({ ...on, previous_response_id: `${id}0` })),
        ).toMatchObject({
          code: 'previous_response_not_found',
        })
        expect(
          await failure(client.responses.create({ model, input: 'x', conversation: id })),
        ).toMatchObject({ status: 400, message: expect.stringContaining("'conversation' needs") })
      })
      expect(amounts).toEqual([])
    })

    it('ends where its beginning was removed, in words', async () => {
      const { model, next } = await addModel('anthropic')
      next(...['One.', 'Two.'].map(each => wholeAnswers('anthropic', each)))
      const first = await create({ model, input: 'First.' })
      const second = await create({ model, input: 'Second.', previous_response_id: first.id })
      await clientOf().responses.delete(first.id)
      const on = { model, input: 'Third.', previous_response_id: second.id }
      expect(await failure(create(on))).toMatchObject({
        code: 'previous_response_not_found',
        message: expect.stringContaining('Part of the conversation'),
      })
      expect((await clientOf().responses.retrieve(second.id)).output_text).toBe('Two.')
    })

    it('is not stored if it is too large: served and charged all the same, and both are reported', async () => {
      const { model, requests: upstreamCalls, next } = await addModel('openai-chat')
      const image = `data:image/png;base64,${'A'.repeat(9 * 1024 * 1024)}`
      const input = [
        {
          role: 'user' as const,
          content: [{ type: 'input_image' as const, image_url: image, detail: 'auto' as const }],
        },
      ]
      for (const isStream of [false, true]) {
        next(say('openai-chat', 'A picture.', isStream))
        const before = await rowsOf()
        let answer: Response | undefined
        const amounts = await charged(async () => {
          answer = await create({ model, input }, isStream)
        })
        expect(answer).toMatchObject({ store: false, output_text: 'A picture.' })
        expect(amounts).toEqual([price])
        expect(await notes()).toContain('gateway: store (too large)')
        expect(await rowsOf()).toBe(before)
        expect(await failure(clientOf().responses.retrieve(answer?.id ?? ''))).toMatchObject({
          status: 404,
        })
      }
      // One that fits comes back as it came.
      const small = image.slice(0, 7 * 1024 * 1024 + 22)
      next(wholeAnswers('openai-chat', 'Small.'), wholeAnswers('openai-chat', 'Again.'))
      const kept = await create({
        model,
        input: [
          { role: 'user', content: [{ type: 'input_image', image_url: small, detail: 'auto' }] },
        ],
      })
      await create({ model, input: 'Again?', previous_response_id: kept.id })
      expect(kept.store).toBe(true)
      expect(upstreamCalls.at(-1)?.text).toContain(small)
    })
  })

  describe('what it costs', () => {
    it('is the whole prompt: reserved, counted and charged as if it had been sent', async () => {
      const { model, requests: upstreamCalls, next } = await addModel('openai-chat')
      const silent = {
        ...wholeAnswers('openai-chat', 'Said without a word of what it used.'),
        say: [
          JSON.stringify({
            id: 'chatcmpl-1',
            object: 'chat.completion',
            model: 'deepseek-v4',
            choices: [
              {
                index: 0,
                message: { role: 'assistant', content: 'Short.' },
                finish_reason: 'stop',
              },
            ],
          }),
        ],
      }
      next(silent, silent, silent)
      const words = (count: number) => 'word '.repeat(count)
      const question = [{ type: 'message' as const, role: 'user' as const, content: words(2_000) }]
      const another = [{ type: 'message' as const, role: 'user' as const, content: 'And now?' }]
      const first = await create({ model, input: question })
      const [kept, byHand] = await charged(async () => {
        const unkept = { model, store: false }
        await create({ ...unkept, input: another, previous_response_id: first.id })
        await create({ ...unkept, input: [...question, ...first.output, ...another] as never })
      })
      expect(kept).toBeGreaterThan(2_000)
      expect(kept).toBe(byHand)
      expect(upstreamCalls[1]?.body.messages).toEqual(upstreamCalls[2]?.body.messages)
      const { input_tokens } = await clientOf().responses.inputTokens.count({
        model,
        input: another,
        previous_response_id: first.id,
      })
      expect(input_tokens).toBeGreaterThan(2_000)

      const poor = await hub.admin.addPerson(40_000)
      const limited = { model, max_output_tokens: 10 }
      next(wholeAnswers('openai-chat', 'Long.'), wholeAnswers('openai-chat', 'Alone.'))
      const long = await create({ ...limited, input: words(15_000) }, false, 0, poor.key)
      const more = { ...limited, input: words(15_000) }
      expect(
        await failure(create({ ...more, previous_response_id: long.id }, false, 0, poor.key)),
      ).toMatchObject({
        code: 'insufficient_quota',
      })
      await create(more, false, 0, poor.key)
      await hub.audit()
    })

    it('reading, listing and removing are free', async () => {
      const { model, next } = await addModel('gemini')
      next(wholeAnswers('gemini', 'Free.'))
      const { id } = await create({ model, input: 'What does it cost?' })
      const amounts = await charged(async () => {
        await clientOf().responses.retrieve(id)
        await itemsOf(id)
        await clientOf().responses.delete(id)
      })
      expect(amounts).toEqual([])
    })
  })

  describe('whose words they are', () => {
    it('nothing of them stands in the database in plain text, in the log or in the audit log', async () => {
      const { model, next } = await addModel('anthropic')
      next(wholeAnswers('anthropic', 'The codeword is quicksilver.'))
      const { id } = await create({ model, input: 'Tell the codeword heliotrope.' })
      await clientOf().responses.retrieve(id)
      await hub.settled()
      const [row] = await query(hub.gateway, `select * from stored_answers where id = '${id}'`)
      const audit = await query(hub.gateway, 'select * from audit')
      for (const text of [JSON.stringify([row, audit]), ...hub.gateways.map(each => each.output())])
        for (const word of ['quicksilver', 'heliotrope']) expect(text).not.toContain(word)
      expect(String(row?.content_sealed).startsWith('v1.')).toBe(true)
    })

    it('go with their user', async () => {
      const { model, next } = await addModel('anthropic')
      next(wholeAnswers('anthropic', 'Gone soon.'))
      const leaver = await hub.admin.addPerson(1_000_000)
      await create({ model, input: 'I leave.' }, false, 0, leaver.key)
      expect(await rowsOf(leaver)).toBe(1)
      await hub.admin.api('DELETE', `/api/user/${leaver.id}`)
      expect(await rowsOf(leaver)).toBe(0)
    })
  })
})
