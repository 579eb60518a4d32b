import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp } from '../../../test/harness.ts'

let hub: TestApp

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
