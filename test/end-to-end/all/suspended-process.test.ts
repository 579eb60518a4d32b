import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ObservedCall, unlimitedAgent } from '../../harness/client.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

/** Longer than the ledger's writer may keep silent, and longer than it waits before it calls the database away. */
const standstillMs = 3_000
const standstills = 4

describeEnginesInParallel(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(() => hub?.close())

  it('a machine that was suspended for seconds refuses no call: the time does not count for the ledger either', async () => {
    const person = await hub.admin.addPerson(10_000_000)
    const agent = unlimitedAgent()
    const seen: ObservedCall[] = []
    let isOver = false
    const load = Promise.all(
      Array.from({ length: 32 }, async (_, at) => {
        while (!isOver)
          seen.push(
            await hub.ask({
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
      hub.gateway.signal('SIGSTOP')
      await sleep(300)
      // These requests arrive while the process is suspended, and are read when it resumes.
      const meanwhile = Promise.all(
        Array.from({ length: 32 }, () => hub.ask({ key: person.key, model: 'any:in=10;out=5' })),
      )
      await sleep(standstillMs)
      hub.gateway.signal('SIGCONT')
      seen.push(...(await meanwhile))
    }
    isOver = true
    await load
    agent.destroy()
    expect(seen.filter(each => !each.complete).map(each => [each.status, each.text])).toEqual([])
    await hub.settled()
    await hub.audit()
  })
})
