import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { crowd, type Seen } from '../harness/client.ts'
import { onEnginesSideBySide } from '../harness/each.ts'
import { startWorld, type World } from '../harness/world.ts'

/** Longer than the ledger's writer may keep silent, and longer than it waits before it calls the database away. */
const standstillMs = 3_000
const standstills = 4

onEnginesSideBySide(engine => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(engine)
  })
  afterAll(() => world?.close())

  it('a machine that stood still for seconds refuses nobody: the time did not pass for the ledger either', async () => {
    const person = await world.admin.addPerson(10_000_000)
    const agent = crowd()
    const seen: Seen[] = []
    let isOver = false
    const load = Promise.all(
      Array.from({ length: 32 }, async (_, at) => {
        while (!isOver)
          seen.push(
            await world.ask({
              key: person.key,
              model: 'any:in=10;out=5;every=2',
              stream: at % 2 === 0,
              agent,
            }),
          )
      }),
    )
    for (let round = 0; round < standstills; round += 1) {
      await sleep(700)
      world.gateway.signal('SIGSTOP')
      await sleep(300)
      // These come while it stands still, and are read at once when it goes on.
      const meanwhile = Promise.all(
        Array.from({ length: 32 }, () => world.ask({ key: person.key, model: 'any:in=10;out=5' })),
      )
      await sleep(standstillMs)
      world.gateway.signal('SIGCONT')
      seen.push(...(await meanwhile))
    }
    isOver = true
    await load
    agent.destroy()
    expect(seen.filter(each => !each.complete).map(each => [each.status, each.text])).toEqual([])
    await world.settled()
    await world.audit()
  })
})
