import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { openSocket, type SocketClient } from '../harness/sockets/client.ts'
import {
  answerTurn,
  type LiveVendor,
  liveUsage,
  startAnswer,
  startLiveVendor,
} from '../harness/sockets/live-vendor.ts'
import {
  answer,
  type RealtimeVendor,
  startRealtimeVendor,
  usage,
} from '../harness/sockets/realtime-vendor.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// Sessions that last: every node closes those of a caller who may not have them any more, and a node that is killed
// keeps what was charged and nothing else. `realtime-crash.test.ts` kills at single steps.

const startingBalance = 1_000_000
const livePath = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

type Kind = {
  name: string
  path: string
  price: number
  begin(client: SocketClient): Promise<unknown>
  /** Asks for a response, and waits for its end. */
  respond(client: SocketClient): Promise<unknown>
  ask(client: SocketClient): void
}

const realtime: Kind = {
  name: 'Realtime',
  path: '/v1/realtime?model=gpt-realtime',
  price: usage.total_tokens,
  begin: client => client.next(each => each.type === 'session.created'),
  ask: client => client.send({ type: 'response.create' }),
  respond: client => {
    realtime.ask(client)
    return client.next(each => each.type === 'response.done')
  },
}

const live: Kind = {
  name: 'Gemini Live',
  path: livePath,
  price: liveUsage.totalTokenCount,
  begin: client => {
    client.send({ setup: { model: 'models/gemini-live' } })
    return client.next(each => 'setupComplete' in each)
  },
  ask: client =>
    client.send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hi' }] }] } }),
  respond: client => {
    live.ask(client)
    return client.next(each => each.serverContent?.turnComplete)
  },
}

const kinds = [realtime, live]

describeEnginesInParallel(engine => {
  let hub: TestHub
  let realtimeVendor: RealtimeVendor
  let liveVendor: LiveVendor
  beforeAll(async () => {
    realtimeVendor = await startRealtimeVendor()
    liveVendor = await startLiveVendor()
    hub = await startTestHub(engine, { instances: engine.name === 'SQLite' ? 1 : 2 })
    const { admin } = hub
    const key = 'vendor-key'
    await admin.addChannel(realtimeVendor.url, { type: 1, models: 'gpt-realtime', key })
    await admin.addChannel(liveVendor.url, { type: 25, models: 'gemini-live', key })
    for (const model of ['gpt-realtime', 'gemini-live']) await admin.setPrice(model, 'tokens', 1, 1)
  })
  afterAll(async () => {
    await hub?.close()
    await realtimeVendor?.close()
    await liveVendor?.close()
  })

  const open = async (person: Person, { path, begin }: Kind, at: number) => {
    const { url } = hub.gateways[at % hub.gateways.length]!
    const client = await openSocket(`${url}${path}`, { authorization: `Bearer ${person.key}` })
    await begin(client)
    return client
  }

  const revocations: [string, (person: Person) => Promise<unknown>][] = [
    [
      'a ban',
      ({ username }) => hub.admin.api('POST', '/api/user/manage', { username, action: 'disable' }),
    ],
    [
      'the deletion of the API key',
      async ({ cookie }) => {
        const list = await callApi<{ data: { id: number }[] }>(
          ...([hub.gateway, { cookie }, 'GET', '/api/token/'] as const),
        )
        const path = `/api/token/${list.data.data[0]!.id}`
        return callApi(hub.gateway, { cookie }, 'DELETE', path)
      },
    ],
  ]
  it.each(revocations)('%s closes the sessions of all kinds at every node', async (_, revoke) => {
    const person = await hub.admin.addPerson(startingBalance)
    const opened = hub.gateways.flatMap((_node, at) => kinds.map(kind => open(person, kind, at)))
    const clients = await Promise.all(opened)
    await revoke(person)
    for (const { closed } of clients) expect((await closed).code).toBe(1008)
    await hub.settled()
    expect(await accountOf(hub.gateway, person.id)).toMatchObject({ balance: startingBalance })
  })

  it.each(kinds)(
    '$name: a node that is killed loses no settled response, and leaves no hold',
    async kind => {
      const person = await hub.admin.addPerson(startingBalance)
      realtimeVendor.onCreate = answer
      liveVendor.onMessage = answerTurn
      const client = await open(person, kind, 0)
      for (const _ of [1, 2]) await kind.respond(client)
      // The third response has begun when the node is killed.
      let isAsked = false
      realtimeVendor.onCreate = session => {
        const response = { id: 'resp_unfinished', status: 'in_progress' }
        session.send({ type: 'response.created', response })
        isAsked = true
      }
      liveVendor.onMessage = session => {
        startAnswer(session)
        isAsked = true
      }
      kind.ask(client)
      await until('the vendor has it', () => isAsked)
      hub.gateway.signal('SIGKILL')
      await client.closed
      await hub.gateway.exited()
      await hub.gateway.start()
      await hub.settled()
      const amounts = (await chargesOf(hub.gateway, person.id)).map(each => each.amount)
      expect(amounts.slice(0, 2)).toEqual([kind.price, kind.price])
      const paid = amounts.reduce((sum, each) => sum + each, 0)
      expect(await accountOf(hub.gateway, person.id)).toMatchObject({
        balance: startingBalance - paid,
        held: 0,
      })
      // Output that had reached the gateway may be charged by an estimate, once.
      expect(amounts.length).toBeLessThanOrEqual(3)
      await hub.audit()
    },
  )
})
