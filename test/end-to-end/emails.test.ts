import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../harness/ledger.ts'
import { type MailServer, startMailServer } from '../harness/mail-server.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub, timesPrice } from '../harness/test-hub.ts'

describeEnginesInParallel(engine => {
  let hub: TestHub
  let mailServer: MailServer
  beforeAll(async () => {
    mailServer = await startMailServer()
    hub = await startTestHub(engine, { env: { CLOCK_OFFSET_FILE: 'clock' } })
    const mail = {
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mailServer.port),
      SMTPFrom: 'hub@example.com',
      QuotaRemindThreshold: '1000',
    }
    for (const [key, value] of Object.entries(mail)) await hub.admin.setOption(key, value)
  })
  afterAll(async () => {
    await hub?.close()
    await mailServer?.close()
  })

  const queued = async () =>
    (await query(hub.gateway, 'select key, state, attempts from queued')).map(row => ({
      key: String(row.key),
      state: String(row.state),
      attempts: Number(row.attempts),
    }))

  it('a letter that is on its way when the gateway is killed arrives after the restart', async () => {
    const email = 'reader@example.com'
    const person = await hub.admin.addPerson(timesPrice + 500, {}, { email })
    mailServer.meet('never answer')
    const seen = await hub.ask({ key: person.key, model: 'times:out=1' })
    expect(seen.complete).toBe(true)
    await until('it is being sent', () => mailServer.tries() === 1)
    const key = `quota:${person.id}:0:1`
    expect(await queued()).toEqual([{ key, state: 'waiting', attempts: 1 }])
    await hub.gateway.stop('SIGKILL')

    mailServer.meet('take')
    await hub.gateway.start()
    // The entry is the dead gateway's for a minute.
    writeFileSync(join(hub.gateway.dataDir, 'clock'), '61000')
    await until('it arrives', () => mailServer.emails.length > 0)
    await until('it is done', async () => (await queued())[0]?.state === 'done')
    // Two more turns of the queue: what is done is not done again.
    await sleep(5_000)
    expect(mailServer.emails.map(each => each.recipients)).toEqual([[email]])
    expect(await queued()).toEqual([{ key, state: 'done', attempts: 2 }])
  })
})
