import { afterAll, beforeAll, expect, it } from 'vitest'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { isEnd, openSocket } from '../harness/sockets/client.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const startingBalance = 1_000_000
const model = 'any:in=7;out=3'

describeEnginesInParallel(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine, { instances: engine.name === 'SQLite' ? 1 : 2 })
  })
  afterAll(() => hub?.close())

  const open = async (at = 0) => {
    const person = await hub.admin.addPerson(startingBalance)
    const { url } = hub.gateways[at % hub.gateways.length]!
    const headers = { authorization: `Bearer ${person.key}` }
    return { person, client: await openSocket(`${url}/v1/responses`, headers) }
  }
  const create = (fields: object) => ({ type: 'response.create', store: false, ...fields })

  it('a user who is disabled at one node loses the connection at another', async () => {
    const { person, client } = await open(1)
    await hub.admin.api('POST', '/api/user/manage', {
      username: person.username,
      action: 'disable',
    })
    expect((await client.closed).code).toBe(1008)
    expect(client.events.at(-1)).toMatchObject({ type: 'error', status: 401 })
  })

  it('a node that is killed loses no settled response, and leaves no hold', async () => {
    const { person, client } = await open()
    for (const input of ['One', 'Two', 'Three']) {
      client.send(create({ model, input }))
      expect((await client.next(isEnd)).type).toBe('response.completed')
    }
    hub.upstream.forget()
    client.send(create({ model: 'any:stall=headers', input: 'Four' }))
    await until('the vendor has it', () => hub.upstream.served[0])
    hub.gateway.signal('SIGKILL')
    await client.closed
    await hub.gateway.exited()
    await hub.gateway.start()
    await hub.settled()
    expect((await chargesOf(hub.gateway, person.id)).map(each => each.amount)).toEqual([10, 10, 10])
    expect((await accountOf(hub.gateway, person.id)).balance).toBe(startingBalance - 30)
    await hub.audit()
  })

  it('a node that is stopped ends its connections with an error, and exits', async () => {
    const { client } = await open()
    expect(await hub.gateway.stop('SIGTERM')).toBe(0)
    expect((await client.closed).code).toBe(1001)
    expect(client.events.at(-1)).toMatchObject({ type: 'error', status: 503 })
    await hub.gateway.start()
  })
})
