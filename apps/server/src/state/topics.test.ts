import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeStores } from '../../test/stores.ts'
import { openTopics } from './topics.ts'

describeStores('topics', stores => {
  it('every listener of every node hears of a change that was committed, once', async () => {
    const { db } = await stores.open()
    const [here, there] = [await openTopics(db), await openTopics(db)]
    const heard: string[] = []
    here.on('prices', () => void heard.push('here'))
    const leave = there.on('prices', () => void heard.push('there'))
    there.on('users', () => void heard.push('users'))
    await db.transaction().execute(tx => here.bump(tx, 'prices'))
    await sleep(900)
    expect(heard.sort()).toEqual(['here', 'there'])
    leave()
    await here.bump(db, 'prices')
    await sleep(900)
    expect(heard.sort()).toEqual(['here', 'here', 'there'])
    await Promise.all([here.close(), there.close()])
  })

  it('a change that was rolled back is not heard of', async () => {
    const { db } = await stores.open()
    const topics = await openTopics(db, { pollMilliseconds: 50 })
    let heard = 0
    topics.on('groups', () => void heard++)
    const failing = db.transaction().execute(async tx => {
      await topics.bump(tx, 'groups')
      throw new RangeError('on purpose')
    })
    await expect(failing).rejects.toThrow()
    await sleep(300)
    expect(heard).toBe(0)
    await topics.close()
  })

  it('whoever changed something has heard of it when it caught up, without waiting for a look', async () => {
    const { db } = await stores.open()
    const topics = await openTopics(db, { pollMilliseconds: 60_000 })
    let heard = 0
    topics.on('channels', () => void heard++)
    await topics.bump(db, 'channels')
    await topics.catchUp()
    expect(heard).toBe(1)
    await topics.close()
  })

  it('a listener that fails is told again', async () => {
    const { db } = await stores.open()
    const failures: unknown[] = []
    const failed = (error: unknown) => void failures.push(error)
    const topics = await openTopics(db, { pollMilliseconds: 50, failed })
    let calls = 0
    topics.on('owners', () => {
      if (++calls === 1) throw new RangeError('on purpose')
    })
    await topics.bump(db, 'owners')
    await sleep(600)
    expect(calls).toBe(2)
    expect(failures).toHaveLength(1)
    await topics.close()
  })
})
