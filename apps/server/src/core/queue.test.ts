import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import { enqueue, processQueue } from './queue.ts'

let hub: TestApp
const notification = (title: string) => ({
  to: 'ann@example.com',
  title,
  paragraphs: ['secret words'],
})
const queueEntry = (key: string) =>
  hub.app.db.transaction().execute(tx => enqueue(hub.app, tx, 'notify', key, notification(key)))
/** Runs the due entries and returns their titles in order. */
const work = async (fail = false) => {
  const seen: string[] = []
  await processQueue(hub.app, {
    notify: async (_app, { title }) => {
      seen.push(title)
      if (fail) throw new TypeError('the mail server is down')
    },
  })
  return seen
}
const rowOf = (key: string) =>
  hub.app.db.selectFrom('queued').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
const wait = (seconds: number) => {
  hub.clock.now += seconds * 1000
}

const entryTests = () => {
  it('entries run once, in order, and their payload is erased afterwards', async () => {
    await queueEntry('a')
    await queueEntry('b')
    expect(JSON.stringify(await rowOf('a'))).not.toContain('secret words')
    expect(await work()).toEqual(['a', 'b'])
    expect(await work()).toEqual([])
    expect(await rowOf('a')).toMatchObject({ state: 'done', attempts: 1, payload_sealed: '' })
  })

  it('the same key is queued once, before and after it ran', async () => {
    expect([await queueEntry('c'), await queueEntry('c')]).toEqual([true, false])
    expect(await work()).toEqual(['c'])
    expect(await queueEntry('c')).toBe(false)
    expect(await work()).toEqual([])
  })

  it('an entry of a rolled-back transaction never runs', async () => {
    const failed = hub.app.db.transaction().execute(async tx => {
      await enqueue(hub.app, tx, 'notify', 'never', notification('never'))
      throw new TypeError('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await work()).toEqual([])
  })

  it('a failure is retried with increasing delay and abandoned in the end', async () => {
    await queueEntry('d')
    expect(await work(true)).toEqual(['d'])
    expect(await work(true)).toEqual([])
    expect(await rowOf('d')).toMatchObject({ state: 'waiting', failure: 'the mail server is down' })
    const waits: number[] = []
    for (let n = 0; n < 19; n++) {
      const { run_at } = await rowOf('d')
      const seconds = run_at - Math.floor(hub.clock.now / 1000)
      waits.push(seconds)
      wait(seconds - 1)
      expect(await work(true)).toEqual([])
      wait(1)
      expect(await work(true)).toEqual(['d'])
    }
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40])
    expect(Math.max(...waits)).toBe(3600)
    expect(await rowOf('d')).toMatchObject({ state: 'failed', attempts: 20, payload_sealed: '' })
    wait(10_000)
    expect(await work()).toEqual([])
  })
}

const workerTests = () => {
  it('two workers never run one entry at the same time, and a dead worker is replaced', async () => {
    await queueEntry('e')
    const begun: string[] = []
    const never = processQueue(hub.app, {
      notify: async () => {
        begun.push('e')
        await new Promise(() => {})
      },
    })
    await expect.poll(() => begun.length).toBe(1)
    expect(await work()).toEqual([])
    wait(29)
    expect(await work()).toEqual([])
    wait(1)
    expect(await work()).toEqual(['e'])
    expect(await rowOf('e')).toMatchObject({ state: 'done', attempts: 2 })
    void never
  })

  it('ten parallel workers run ten entries once each', async () => {
    for (let n = 0; n < 10; n++) await queueEntry(`many-${n}`)
    const all = await Promise.all(Array.from({ length: 10 }, () => work()))
    const rest = await work()
    const seen = [...all.flat(), ...rest]
    expect(seen).toHaveLength(new Set(seen).size)
    // The worker of the app itself may have taken some of them.
    for (let n = 0; n < 10; n++)
      if (!seen.includes(`many-${n}`))
        expect((await rowOf(`many-${n}`)).attempts).toBeGreaterThanOrEqual(1)
  })

  it('a payload that was moved to another entry does not open there', async () => {
    await queueEntry('f')
    await queueEntry('g')
    const { payload_sealed } = await rowOf('f')
    await hub.app.db.updateTable('queued').set({ payload_sealed }).where('key', '=', 'g').execute()
    expect(await work()).toEqual(['f'])
    expect((await rowOf('g')).state).toBe('waiting')
  })
}

onBothEngines('the queue', open => {
  beforeAll(async () => {
    hub = await open()
  })
  entryTests()
  workerTests()
})
