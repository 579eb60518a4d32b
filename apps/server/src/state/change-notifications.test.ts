import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from '../../../../test/harness/runner/until.ts'
import { describeStores } from '../../test/stores.ts'
import * as topics from '../db/queries/topics.ts'
import { openChangeNotifications } from './change-notifications.ts'

describeStores('change notifications', stores => {
  it('a committed change calls every listener on every node once', async () => {
    const { db } = await stores.open()
    const [here, there] = [await openChangeNotifications(db), await openChangeNotifications(db)]
    const called: string[] = []
    here.on('prices', () => void called.push('here'))
    const removeListener = there.on('prices', () => void called.push('there'))
    there.on('owners', () => void called.push('owners'))
    await db.transaction().execute(tx => here.notify(tx, 'prices'))
    await sleep(900)
    expect(called.sort()).toEqual(['here', 'there'])
    removeListener()
    await here.notify(db, 'prices')
    await sleep(900)
    expect(called.sort()).toEqual(['here', 'here', 'there'])
    await Promise.all([here.close(), there.close()])
  })

  it('a rolled-back change calls no listener', async () => {
    const { db } = await stores.open()
    const changes = await openChangeNotifications(db, { pollMilliseconds: 50 })
    let calls = 0
    changes.on('groups', () => void calls++)
    const failing = db.transaction().execute(async tx => {
      await changes.notify(tx, 'groups')
      throw new RangeError('on purpose')
    })
    await expect(failing).rejects.toThrow()
    await sleep(300)
    expect(calls).toBe(0)
    await changes.close()
  })

  it('sync runs the listeners of this node without waiting for the next poll', async () => {
    const { db } = await stores.open()
    const changes = await openChangeNotifications(db, { pollMilliseconds: 60_000 })
    let calls = 0
    changes.on('channels', () => void calls++)
    await changes.notify(db, 'channels')
    await changes.sync()
    expect(calls).toBe(1)
    await changes.close()
  })

  it('a failed listener is called again', async () => {
    const { db } = await stores.open()
    const failures: unknown[] = []
    const onError = (error: unknown) => void failures.push(error)
    const changes = await openChangeNotifications(db, { pollMilliseconds: 50, onError })
    let calls = 0
    changes.on('owners', () => {
      if (++calls === 1) throw new RangeError('on purpose')
    })
    await changes.notify(db, 'owners')
    await sleep(600)
    expect(calls).toBe(2)
    expect(failures).toHaveLength(1)
    await changes.close()
  })

  it('a lone node looks for changes for ten seconds after its own write, and rarely otherwise', async () => {
    const { db, onWrite } = await stores.open()
    let reads = 0
    let isAlone = true
    let join = () => {}
    const observed = db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'SelectQueryNode') reads++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const nodes = {
      isAlone: () => isAlone,
      onJoined: (listener: () => void) => {
        join = listener
      },
    }
    const quiet = { nodes, onWrite }
    const changes = await openChangeNotifications(observed, { pollMilliseconds: 20, quiet })
    let calls = 0
    changes.on('channels', () => void calls++)
    await sleep(400)
    expect(reads).toBe(1)
    await topics.increment(db, 'channels')
    await until('the change is noticed', () => calls === 1)
    await until('later commits are noticed too', () => reads > 4)
    await changes.close()

    const others = await openChangeNotifications(observed, { pollMilliseconds: 20, quiet })
    const before = reads
    isAlone = false
    join()
    await until('the changes of another node are looked for', () => reads > before + 3)
    await others.close()
  })
})
