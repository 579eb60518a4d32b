import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { add, type TaskRow } from '../../db/queries/tasks.ts'
import { sealContent, type TaskContent } from '../../tasks/content.ts'

let hub: TestApp
let user: TestUser
let other: TestUser

const vendorUrl = 'https://storage.vendor.test/v.mp4'

const write = async (fields: Partial<TaskRow> = {}, content: Partial<TaskContent> = {}) => {
  const id = hub.app.ledger.nextId()
  const row: TaskRow = {
    ...{ id, public_id: `task_${id}`, platform: 'video', user_id: user.id, token_id: 1 },
    ...{ channel_id: 7, credential: 'c', upstream_id: 'u-1', action: 'text2video' },
    ...{ model: 'kling-v1', state: 'in_progress', settlement: 'held', progress: 40 },
    ...{ fail_reason: '', orphan: 0, quota: 100, price_id: 1, receipt_draft: '{}' },
    ...{ created_at: 1_000, started_at: 1_001, finished_at: 0, deadline: 5_000 },
    ...{ run_at: null, attempts: 0, deleted_at: null },
    ...{ callback_sealed: null, callback_state: null, callback_run_at: null },
    ...{ callback_attempts: 0, callback_failure: '', copy_run_at: null, copy_attempts: 0 },
    content_sealed: sealContent(hub.app, id, {
      ...{ prompt: 'A dog', upstreamModel: 'kling-v1', request: { seconds: 5 }, state: {} },
      ...{ outputs: [], data: { url: vendorUrl } },
      ...content,
    }),
    ...fields,
  }
  await add(hub.app.db, row)
  return row
}
const ended = (settlement: string) => ({ settlement, finished_at: 1_050 })
const outputs = [{ kind: 'video' as const, url: vendorUrl }]

const all = async (query = '') => (await hub.root.get(`/api/task/?${query}`)).body.data.data
const own = async (query = '') => (await user.get(`/api/task/self?${query}`)).body.data.data
const idsOf = (rows: { id: number }[]) => rows.map(each => each.id)

const rowTests = () => {
  it('shows a running task with its progress and what is reserved for it', async () => {
    const { id } = await write()
    expect((await all())[0]).toEqual({
      ...{ id, task_id: `task_${id}`, platform: 'video', action: 'text2video', model: 'kling-v1' },
      ...{ user_id: user.id, username: user.username, token_id: 1, channel_id: 7, channel: null },
      ...{ status: 'IN_PROGRESS', progress: 40, fail_reason: '', orphan: false },
      ...{ quota: 100, billing: 'held', submit_time: 1_000, start_time: 1_001, finish_time: 0 },
      ...{ deleted: false, can_cancel: false, prompt: '', results: [] },
      ...{ callback: 'none', callback_failure: '' },
    })
  })

  it('S26 a user sees their own tasks only, and neither the channel nor an address of the provider', async () => {
    const foreign = await write({ user_id: other.id })
    const mine = await write({ state: 'completed', ...ended('charged'), orphan: 1 }, { outputs })
    const rows = await own()
    expect(idsOf(rows)).not.toContain(foreign.id)
    const [shown] = rows
    expect(shown).toMatchObject({
      ...{ id: mine.id, channel_id: 0, channel: null, orphan: false, prompt: 'A dog' },
      ...{ status: 'SUCCESS', progress: 100, billing: 'charged' },
    })
    expect(JSON.stringify(rows)).not.toContain('vendor.test')
    expect(shown.results).toEqual([
      {
        ...{ title: '', tags: '', text: '' },
        files: [{ kind: 'video', url: expect.stringContaining(`/v1/videos/${mine.public_id}/`) }],
      },
    ])
    const refused = await user.get(`/api/task/self?user_id=${other.id}`)
    expect(refused.body.code).toBe('request.unknown_field')
  })

  it('shows an end after it is posted, and finds it by its status then', async () => {
    const charging = await write({ state: 'completed', settlement: 'charging', progress: 100 })
    const expired = await write({
      ...{ state: 'expired', ...ended('released'), quota: 0, fail_reason: 'late' },
    })
    const running = await all('status=IN_PROGRESS&size=100')
    expect(running.find((each: { id: number }) => each.id === charging.id)).toMatchObject({
      ...{ status: 'IN_PROGRESS', finish_time: 0, results: [], billing: 'held' },
    })
    expect(idsOf(await all('status=SUCCESS&size=100'))).not.toContain(charging.id)
    expect((await all('status=FAILURE'))[0]).toMatchObject({
      ...{ id: expired.id, status: 'FAILURE', billing: 'released', quota: 0, fail_reason: 'late' },
    })
  })
}

const listTests = () => {
  it('filters by each column, and lists the tasks that a provider may have', async () => {
    const found = await write({
      ...{ platform: 'suno', action: 'music', token_id: 77, channel_id: 78, orphan: 1 },
      ...{ state: 'failed', ...ended('released'), created_at: 2_000, user_id: other.id },
    })
    for (const query of [
      ...['platform=suno', 'action=music', 'token_id=77', 'channel_id=78', 'start_timestamp=1999'],
      ...[`task_id=${found.public_id}`, `user_id=${other.id}&platform=suno`],
      ...[`username=${other.username}&action=music`, 'orphan=true&platform=suno'],
      'status=FAILURE&end_timestamp=2000&platform=suno',
    ])
      expect([query, idsOf(await all(query))]).toEqual([query, [found.id]])
    expect(idsOf(await all('orphan=false&size=100'))).not.toContain(found.id)
    expect(await all('username=nobody')).toEqual([])
    const refused = await hub.root.get('/api/task/?status=DONE')
    expect([refused.status, refused.body.code]).toEqual([400, 'request.invalid'])
  })

  it('sorts by what the table shows', async () => {
    const times = (await all('order=-submit_time&size=100')).map(
      (each: { submit_time: number }) => each.submit_time,
    )
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect((await hub.root.get('/api/task/?order=quota')).status).toBe(400)
  })

  it('hides a deleted task from its owner only, and its result from everyone', async () => {
    const { id } = await write(
      { state: 'completed', ...ended('charged'), deleted_at: 1_100 },
      { outputs },
    )
    expect(idsOf(await own('size=100'))).not.toContain(id)
    expect((await all())[0]).toMatchObject({ id, deleted: true, results: [] })
  })

  it('shows the raw task to administrators only', async () => {
    const { id } = await write()
    expect((await hub.root.get(`/api/task/${id}/raw`)).body.data).toEqual({
      ...{ upstream_id: 'u-1', prompt: 'A dog', request: { seconds: 5 }, data: { url: vendorUrl } },
    })
    expect((await user.get(`/api/task/${id}/raw`)).status).toBe(403)
    expect((await hub.root.get('/api/task/999/raw')).status).toBe(404)
  })
}

onBothEngines('tasks', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person(1)
    other = await hub.person(1)
  })
  rowTests()
  listTests()
})
