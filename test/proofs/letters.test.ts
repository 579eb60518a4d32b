import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEnginesSideBySide } from '../harness/each.ts'
import { query } from '../harness/ledger.ts'
import { type Mailbox, openMailbox } from '../harness/mailbox.ts'
import { until } from '../harness/until.ts'
import { startWorld, timesPrice, type World } from '../harness/world.ts'

onEnginesSideBySide(engine => {
  let world: World
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await openMailbox()
    world = await startWorld(engine, { env: { CLOCK_OFFSET_FILE: 'clock' } })
    const mail = {
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mailbox.port),
      SMTPFrom: 'hub@example.com',
      QuotaRemindThreshold: '1000',
    }
    for (const [key, value] of Object.entries(mail)) await world.admin.setOption(key, value)
  })
  afterAll(async () => {
    await world?.close()
    await mailbox?.close()
  })

  const queued = async () =>
    (await query(world.gateway, 'select key, state, attempts from queued')).map(row => ({
      key: String(row.key),
      state: String(row.state),
      attempts: Number(row.attempts),
    }))

  it('a letter that is on its way when the gateway is killed arrives after the restart', async () => {
    const email = 'reader@example.com'
    const person = await world.admin.addPerson(timesPrice + 500, {}, { email })
    mailbox.meet('never answer')
    const seen = await world.ask({ key: person.key, model: 'times:out=1' })
    expect(seen.complete).toBe(true)
    await until('it is being sent', () => mailbox.tries() === 1, 60_000)
    const key = `quota:${person.id}:0:1`
    expect(await queued()).toEqual([{ key, state: 'waiting', attempts: 1 }])
    await world.gateway.stop('SIGKILL')

    mailbox.meet('take')
    await world.gateway.start()
    // The entry is the dead gateway's for a minute.
    writeFileSync(join(world.gateway.dataDir, 'clock'), '61000')
    await until('it arrives', () => mailbox.letters.length > 0, 60_000)
    await until('it is done', async () => (await queued())[0]?.state === 'done', 10_000)
    // Two more turns of the queue: what is done is not done again.
    await sleep(5_000)
    expect(mailbox.letters.map(each => each.recipients)).toEqual([[email]])
    expect(await queued()).toEqual([{ key, state: 'done', attempts: 2 }])
  })
})
