import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import { enqueue, processQueue } from './queue.ts'

onBothEngines('the queue', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })
  const letter = (title: string) => ({ to: 'ann@example.com', title, paragraphs: ['secret words'] })
  const promise = (key: string) =>
    hub.app.db.transaction().execute(tx => enqueue(hub.app, tx, 'notify', key, letter(key)))
  /** Does what is due, and answers the titles in their order. */
  const work = async (fail = false) => {
    const seen: string[] = []
    await processQueue(hub.app, {
      notify: async (_app, { title }) => {
        seen.push(title)
        if (fail) throw new TypeError('the post office is shut')
      },
    })
    return seen
  }
  const rowOf = (key: string) =>
    hub.app.db.selectFrom('queued').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
  const wait = (seconds: number) => {
    hub.clock.now += seconds * 1000
  }

  it('what is promised is done once, in its order, and its words are not kept', async () => {
    await promise('a')
    await promise('b')
    expect(JSON.stringify(await rowOf('a'))).not.toContain('secret words')
    expect(await work()).toEqual(['a', 'b'])
    expect(await work()).toEqual([])
    expect(await rowOf('a')).toMatchObject({ state: 'done', attempts: 1, payload_sealed: '' })
  })

  it('the same key again is nothing new, before and after it was done', async () => {
    expect([await promise('c'), await promise('c')]).toEqual([true, false])
    expect(await work()).toEqual(['c'])
    expect(await promise('c')).toBe(false)
    expect(await work()).toEqual([])
  })

  it('a promise in a transaction that fails was never made', async () => {
    const failed = hub.app.db.transaction().execute(async tx => {
      await enqueue(hub.app, tx, 'notify', 'never', letter('never'))
      throw new TypeError('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await work()).toEqual([])
  })

  it('what fails is tried again, later each time, and given up in the end', async () => {
    await promise('d')
    expect(await work(true)).toEqual(['d'])
    expect(await work(true)).toEqual([])
    expect(await rowOf('d')).toMatchObject({ state: 'waiting', failure: 'the post office is shut' })
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

  it('two workers never do one entry at the same time, and one who died over it is replaced', async () => {
    await promise('e')
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

  it('ten workers at once do ten entries once each', async () => {
    for (let n = 0; n < 10; n++) await promise(`many-${n}`)
    const all = await Promise.all(Array.from({ length: 10 }, () => work()))
    const rest = await work()
    const seen = [...all.flat(), ...rest].toSorted()
    expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => `many-${n}`))
  })

  it('a payload that was moved to another entry does not open there', async () => {
    await promise('f')
    await promise('g')
    const { payload_sealed } = await rowOf('f')
    await hub.app.db.updateTable('queued').set({ payload_sealed }).where('key', '=', 'g').execute()
    expect(await work()).toEqual(['f'])
    expect((await rowOf('g')).state).toBe('waiting')
  })
})
