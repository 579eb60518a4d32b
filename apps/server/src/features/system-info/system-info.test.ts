import { hostname } from 'node:os'
import { jobNames } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, onOneEngine, type TestApp } from '../../../test/harness.ts'
import { list as listReports, save } from '../../db/queries/node-reports.ts'
import { openEpoch, retire } from '../../db/queries/nodes.ts'
import { jobs } from '../../jobs/index.ts'

let hub: TestApp

onBothEnginesInLongRuns('the nodes of the system page', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('show what each one last said, whether it still does, and which one answers', async () => {
    const nodes = async () => (await hub.root.get('/api/system_info/nodes')).body.data
    const { epoch } = hub.app.ledger
    const own = { epoch, host: hostname(), state: 'running', is_answering: true, live_calls: 0 }
    expect(await nodes()).toMatchObject([{ ...own, runtime: process.version, lag_ms: 0 }])
    const other = await openEpoch(hub.app.db)
    const [report] = await listReports(hub.app.db)
    const { lease: _, ...copied } = report!
    await save(hub.app.db, { ...copied, epoch: other, host: 'other' })
    expect(await nodes()).toMatchObject([{ epoch: other, is_answering: false }, own])
    hub.clock.now += 31_000
    expect(await nodes()).toMatchObject([{ epoch: other, state: 'silent' }, own])
    await retire(hub.app.db, other)
    expect(await nodes()).toMatchObject([{ epoch: other, state: 'ended' }, own])
    hub.clock.now += 86_400_000
    expect(await nodes()).toMatchObject([own])
    const runner = jobs.find(({ name }) => name === 'report-node')
    expect([runner?.everySeconds, runner?.everyNode]).toEqual([10, true])
    const admin = await hub.person(10)
    expect((await admin.get('/api/system_info/nodes')).body.code).toBe('access.denied')
  })
})

onBothEnginesInLongRuns('the jobs of the system page', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('show when each is due and how its last run ended, to the super administrator', async () => {
    const jobsOf = async () => (await hub.root.get('/api/system_info/jobs')).body.data
    expect((await jobsOf()).map(({ name }: { name: string }) => name)).toEqual([...jobNames])
    const now = Math.floor(hub.clock.now / 1000)
    const ran = { started_at: now, ended_at: now, duration_ms: 7, epoch: null }
    const { epoch } = hub.app.ledger
    const dead = await openEpoch(hub.app.db)
    await retire(hub.app.db, dead)
    const error = 'the disk is full'
    await hub.app.db
      .insertInto('job_runs')
      .values([
        { name: 'make-backup', due_at: now + 9, ...ran, succeeded_at: null, error },
        { name: 'remove-old-logs', due_at: now + 8, ...ran, succeeded_at: now, error: '', epoch },
        { name: 'sum-usage', due_at: now, ...ran, succeeded_at: now, error: '', epoch: dead },
        { name: 'of-another-release', due_at: now, ...ran, succeeded_at: now, error: '' },
      ])
      .execute()
    const shown = await jobsOf()
    const job = (name: string) => shown.find((each: { name: string }) => each.name === name)
    expect(shown).toHaveLength(jobNames.length)
    expect(job('make-backup')).toEqual({
      ...{ name: 'make-backup', state: 'failed', due_at: now + 9, started_at: now, error },
      ...{ succeeded_at: null, duration_ms: 7, epoch: null },
    })
    expect(job('remove-old-logs')).toMatchObject({ state: 'running', epoch })
    expect(job('sum-usage')).toMatchObject({ state: 'succeeded', epoch: null })
    expect(job('update-prices')).toMatchObject({ state: 'waiting', due_at: now })
    const admin = await hub.person(10)
    expect((await admin.get('/api/system_info/jobs')).body.code).toBe('access.denied')
  })
})

onOneEngine('the system log', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('S9 is for the super administrator, and has One Hub’s fields', async () => {
    const line = { time: '2026-11-24T00:00:00.000Z', level: 'error', msg: 'the disk is full' }
    hub.app.recentLines.add(JSON.stringify({ ...line, level: 'info', msg: 'started' }))
    hub.app.recentLines.add(JSON.stringify(line))
    const { body } = await hub.root.post('/api/system_info/log', { count: 1 })
    expect(body.data).toEqual([{ Timestamp: line.time, Level: 'ERR', Message: 'the disk is full' }])
    const admin = await hub.person(10)
    const refused = await admin.post('/api/system_info/log', { count: 1 })
    expect(refused.body.code).toBe('access.denied')
    for (const count of [0, 501, 'x'])
      expect((await hub.root.post('/api/system_info/log', { count })).status).toBe(400)
  })
})
