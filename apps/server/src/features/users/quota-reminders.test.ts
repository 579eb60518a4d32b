import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../../../test/harness/mail-server.ts'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import remindOfQuota from '../../jobs/remind-of-quota.ts'
import workQueue from '../../jobs/work-queue.ts'

let hub: TestApp
let mailServer: MailServer
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
let addresses = 0
const addUser = (quota: number) =>
  hub.person(1, { quota, email: `reader-${++addresses}@example.com` })
/** As calls do it: what is spent is used. */
const spend = (person: TestUser, points: number) =>
  hub.app.db
    .updateTable('accounts')
    .set(eb => ({
      balance: eb('balance', '-', points),
      used: eb('used', '+', points),
    }))
    .where('user_id', '=', person.id)
    .execute()
const add = (person: TestUser, quota: number) =>
  hub.root.post(`/api/user/quota/${person.id}`, { quota })
/** Runs the job once and returns the titles of the emails it sent. */
const round = async () => {
  const before = mailServer.emails.length
  await remindOfQuota.run(hub.app)
  await workQueue.run(hub.app)
  return mailServer.emails.slice(before).map(each => each.subject)
}
const low = 'One Hub: your quota is running low'
const out = 'One Hub: your quota is used up'

const crossingTests = () => {
  it('comes once when the balance falls below the threshold, and once when it is used up', async () => {
    const person = await addUser(5000)
    expect(await round()).toEqual([])
    await spend(person, 4000)
    expect(await round()).toEqual([])
    await spend(person, 1)
    expect(await round()).toEqual([low])
    expect(mailServer.emails.at(-1)).toMatchObject({
      recipients: [expect.stringMatching(/^reader-/)],
      text: expect.stringContaining('999 points'),
      html: expect.stringContaining('https://hub.example/panel/topup'),
    })
    await spend(person, 500)
    expect([await round(), await round()]).toEqual([[], []])
    await spend(person, 499)
    expect([await round(), await round()]).toEqual([[out], []])
  })

  it('comes again after the balance was above the threshold again, and not before', async () => {
    const person = await addUser(2000)
    await spend(person, 1500)
    expect(await round()).toEqual([low])
    await add(person, 100)
    expect(await round()).toEqual([])
    await add(person, 5000)
    expect(await round()).toEqual([])
    await spend(person, 5000)
    expect([await round(), await round()]).toEqual([[low], []])
  })

  it('comes to nobody without an address, who spent nothing, or who never had so much', async () => {
    const silent = await hub.person(1, { quota: 5000 })
    await spend(silent, 4999)
    const poor = await addUser(500)
    await spend(poor, 10)
    await addUser(500)
    const banned = await addUser(5000)
    await spend(banned, 4999)
    await hub.root.post('/api/user/manage', { username: banned.username, action: 'disable' })
    expect(await round()).toEqual([])
  })
}

const deliveryTests = () => {
  it('two nodes that check at the same time send one email', async () => {
    const person = await addUser(5000)
    await spend(person, 4500)
    await Promise.all(Array.from({ length: 5 }, () => remindOfQuota.run(hub.app)))
    expect(await round()).toEqual([low])
  })

  it('a mail server outage loses no email', async () => {
    const person = await addUser(5000)
    await spend(person, 4500)
    mailServer.meet('refuse')
    expect(await round()).toEqual([])
    mailServer.meet('take')
    expect(await round()).toEqual([])
    hub.clock.now += 5000
    expect(await round()).toEqual([low])
  })

  it('a threshold of 0 disables the reminder', async () => {
    const person = await addUser(5000)
    await set('QuotaRemindThreshold', '0')
    await spend(person, 4999)
    expect(await round()).toEqual([])
    await set('QuotaRemindThreshold', '1000')
    expect(await round()).toEqual([low])
  })
}

onBothEngines('the quota reminder', open => {
  beforeAll(async () => {
    mailServer = await startMailServer()
    hub = await open({ LANGUAGE: 'en_US' })
    await set('QuotaRemindThreshold', '1000')
    await set('SMTPServer', '127.0.0.1')
    await set('SMTPPort', String(mailServer.port))
    await set('SMTPFrom', 'hub@example.com')
    await set('ServerAddress', 'https://hub.example')
  })
  afterAll(() => mailServer?.close())
  crossingTests()
  deliveryTests()
})
