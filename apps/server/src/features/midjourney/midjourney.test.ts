import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp, type TestUser } from '../../../test/harness.ts'
import { add, type TaskRow } from '../../db/queries/tasks.ts'
import { sealContent, type TaskContent } from '../../tasks/content.ts'

let hub: TestApp
let user: TestUser
let other: TestUser

const imageUrl = 'https://cdn.vendor.test/a.png'

const write = async (fields: Partial<TaskRow> = {}, content: Partial<TaskContent> = {}) => {
  const id = hub.app.ledger.nextId()
  const row: TaskRow = {
    ...{ id, public_id: String(id), platform: 'midjourney', user_id: user.id, token_id: 1 },
    ...{ channel_id: 7, credential: 'c', upstream_id: 'u-1', action: 'IMAGINE' },
    ...{ model: 'mj_imagine', state: 'in_progress', settlement: 'held', progress: 40 },
    ...{ fail_reason: '', orphan: 0, quota: 100, price_id: 1, receipt_draft: '{}' },
    ...{ created_at: 1_000, started_at: 1_001, finished_at: 0, deadline: 5_000 },
    ...{ run_at: null, attempts: 0, deleted_at: null },
    ...{ callback_sealed: null, callback_state: null, callback_run_at: null },
    ...{ callback_attempts: 0, callback_failure: '', copy_run_at: null, copy_attempts: 0 },
    content_sealed: sealContent(hub.app, id, {
      ...{ prompt: '一只猫', upstreamModel: 'mj_imagine', request: {}, state: { mode: 'turbo' } },
      ...{ outputs: [], data: { promptEn: 'A cat', imageUrl } },
      ...content,
    }),
    ...fields,
  }
  await add(hub.app.db, row)
  return row
}
const outputs = [{ kind: 'image' as const, url: imageUrl }]
const all = async (query = '') => (await hub.root.get(`/api/mj/?${query}`)).body.data.data
const own = async (query = '') => (await user.get(`/api/mj/self?${query}`)).body.data.data
const idsOf = (rows: { id: number }[]) => rows.map(each => each.id)

onBothEnginesInLongRuns('Midjourney tasks', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person(1)
    other = await hub.person(1)
  })

  it('an administrator sees all tasks with their channel, and not what users wrote', async () => {
    const { id } = await write({}, { outputs })
    const [shown] = await all()
    expect(shown).toMatchObject({
      ...{ id, mj_id: String(id), action: 'IMAGINE', mode: 'turbo', model: 'mj_imagine' },
      ...{ user_id: user.id, username: user.username, channel_id: 7, channel: null },
      ...{ status: 'IN_PROGRESS', progress: '40%', prompt: '', prompt_en: '', quota: 100 },
      ...{ billing: 'held', submit_time: 1_000, start_time: 1_001, finish_time: 0 },
    })
    expect(shown.image_url).toMatch(new RegExp(`^/mj/image/${id}\\?index=0&expires=`))
  })

  it('a user sees their own tasks only, and neither the channel nor an address of the provider', async () => {
    const foreign = await write({ user_id: other.id })
    const mine = await write(
      { state: 'completed', settlement: 'charged', finished_at: 1_050 },
      { outputs },
    )
    const rows = await own()
    expect(idsOf(rows)).toContain(mine.id)
    expect(idsOf(rows)).not.toContain(foreign.id)
    expect(rows[0]).toMatchObject({
      ...{ id: mine.id, channel_id: 0, channel: null, prompt: '一只猫', prompt_en: 'A cat' },
      ...{ status: 'SUCCESS', progress: '100%', billing: 'charged', finish_time: 1_050 },
    })
    expect(JSON.stringify(rows)).not.toContain('vendor.test')
    const refused = await user.get('/api/mj/self?channel_id=7')
    expect(refused.body.code).toBe('request.unknown_field')
  })

  it('finds tasks by id, channel, user and time, and no others', async () => {
    const row = await write({ channel_id: 9, created_at: 2_000 })
    await write({ platform: 'video', channel_id: 9, created_at: 2_000 })
    for (const query of [
      `mj_id=${row.public_id}`,
      'channel_id=9',
      'start_timestamp=1999&end_timestamp=2001',
      `channel_id=9&username=${encodeURIComponent(user.username)}`,
    ])
      expect(idsOf(await all(query))).toEqual([row.id])
    expect(idsOf(await own(`mj_id=${row.public_id}`))).toEqual([row.id])
  })

  it('a failed task has its reason, and no image', async () => {
    const failed = { state: 'failed', settlement: 'released', fail_reason: 'Banned', quota: 0 }
    const { id } = await write({ ...failed, finished_at: 1_050 }, { outputs })
    expect((await own(`mj_id=${id}`))[0]).toMatchObject({
      ...{ status: 'FAILURE', progress: '100%', fail_reason: 'Banned', image_url: '' },
      ...{ billing: 'released', quota: 0 },
    })
  })
})
