import { rmSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import removeOldTasks from '../../src/jobs/remove-old-tasks.ts'
import { copyResults } from '../../src/tasks/copies/copy.ts'
import { removeCopies } from '../../src/tasks/copies/remove.ts'
import { onBothEngines } from '../harness.ts'
import { type CopiesHub, expectServed, useCopies } from './copies-hub.ts'
import { startKlingVendor } from './kling-vendor.ts'

const vendor = await startKlingVendor()
const original = vendor.video
const another = Buffer.from('another video')
const daySeconds = 86_400
afterAll(() => vendor.close())

const servingTests = (tools: CopiesHub) => {
  const { hub, finished, content, folder, files } = tools
  it('are served after the provider has deleted the result, also in parts', async () => {
    const id = await finished()
    vendor.video = another
    await expectServed(tools, id, original)
  })

  it('are tried again, and the provider is asked where a node has none', async () => {
    vendor.video = Buffer.from('<html>')
    vendor.type = 'text/html'
    const id = await finished()
    Object.assign(vendor, { type: 'video/mp4', video: original })
    const before = files().length
    await copyResults(hub.app.app)
    expect(files()).toHaveLength(before)
    hub.app.clock.now += 60_000
    await copyResults(hub.app.app)
    expect(files()).toHaveLength(before + 1)
    expect(files().filter(each => each.endsWith('.part'))).toEqual([])
    rmSync(folder(), { recursive: true })
    vendor.video = another
    expect((await content(id)).body.equals(another)).toBe(true)
  })
}

const removalTests = ({ hub, setOption, remove, finished, content, files }: CopiesHub) => {
  it('are deleted with the task of their owner, after their time, and with old tasks', async () => {
    await removeCopies(hub.app.app)
    const before = files().length
    const [deleted, expired, old] = [await finished(), await finished(), await finished()]
    expect(files()).toHaveLength(before + 3)
    await remove(deleted)
    await removeCopies(hub.app.app)
    expect(files()).toHaveLength(before + 2)
    expect((await content(deleted)).response.status).toBe(404)
    await hub.app.app.db
      .updateTable('tasks')
      .set({ finished_at: 1 })
      .where('public_id', '=', old)
      .execute()
    await setOption('TaskRetentionDays', '1')
    await removeOldTasks.run(hub.app.app)
    await setOption('TaskRetentionDays', '0')
    await removeCopies(hub.app.app)
    expect(files()).toHaveLength(before + 1)
    vendor.video = another
    hub.app.clock.now += 2 * daySeconds * 1_000
    expect((await content(expired)).body.equals(another)).toBe(true)
    await removeCopies(hub.app.app)
    expect(files()).toEqual([])
  })

  it('are not made where the option is off', async () => {
    await setOption('TaskCopyDays', '0')
    await finished()
    expect(files()).toEqual([])
    await setOption('TaskCopyDays', '2')
  })
}

onBothEngines('copies of results', open => {
  const tools = useCopies(vendor, open)
  servingTests(tools)
  removalTests(tools)
})
