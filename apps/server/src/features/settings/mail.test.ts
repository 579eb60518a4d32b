import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../../../test/harness/mail-server.ts'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { openSecret } from '../../core/secrets/setting-secrets.ts'

onBothEnginesInLongRuns('mail settings', open => {
  let hub: TestApp
  let mailServer: MailServer
  beforeAll(async () => {
    mailServer = await startMailServer()
    hub = await open({ LANGUAGE: 'en_US' })
  })
  afterAll(() => mailServer?.close())
  const set = async (key: string, value: string) =>
    (await hub.root.put('/api/option/', { key, value })).body
  const test = async (to = 'ann@example.com') =>
    (await hub.root.post('/api/option/test-mail', { to })).body
  const listed = async (key: string) =>
    (await hub.root.get('/api/option/')).body.data.find((row: { key: string }) => row.key === key)

  it('without a server there is nothing to send by', async () => {
    expect(await test()).toMatchObject({ success: false, code: 'mail.unset' })
    await set('SMTPServer', '127.0.0.1')
    await set('SMTPPort', String(mailServer.port))
    expect((await test()).message).toContain('SMTPFrom')
  })

  it('a test message goes out at once, and a refusal says what the server said', async () => {
    await set('SMTPFrom', 'hub@example.com')
    expect((await test()).success).toBe(true)
    expect(mailServer.emails).toMatchObject([
      { subject: 'One Hub: test message', recipients: ['ann@example.com'] },
    ])
    mailServer.meet('refuse')
    expect(await test()).toMatchObject({ code: 'mail.failed' })
    expect((await test()).message).toContain('mailbox unavailable')
    mailServer.meet('take')
    expect((await test('not an address')).code).toBe('request.invalid')
  })

  it('only the super administrator sends one', async () => {
    const admin = await hub.person(10)
    expect((await admin.post('/api/option/test-mail', { to: 'x@example.com' })).status).toBe(403)
  })

  it('a server on a private address is not called where the setting forbids it', async () => {
    await set('PrivateAddressesAllowed', 'false')
    expect((await test()).code).toBe('address.forbidden')
    await set('SMTPServer', 'localhost')
    expect((await test()).code).toBe('address.forbidden')
    await set('SMTPServer', '127.0.0.1')
    await set('PrivateAddressesAllowed', 'true')
    expect((await test()).success).toBe(true)
  })

  it('the password is encrypted, never answered, a fingerprint in the audit log, and can be taken away', async () => {
    const password = 'correct horse battery'
    expect(await listed('SMTPToken')).toEqual({ key: 'SMTPToken', value: '', is_set: false })
    expect((await set('SMTPToken', password)).success).toBe(true)
    expect(await listed('SMTPToken')).toEqual({ key: 'SMTPToken', value: '', is_set: true })
    expect(openSecret(hub.app, 'SMTPToken')).toBe(password)
    for (const table of ['options', 'audit'] as const) {
      const rows = await hub.app.db.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows), table).not.toContain(password)
    }
    expect(JSON.stringify(hub.app.settings())).not.toContain(password)
    const [row] = await hub.app.db
      .selectFrom('audit')
      .select(['target', 'input'])
      .where('target', '=', 'SMTPToken')
      .execute()
    expect(row?.input).toContain('fingerprint:')
    expect((await set('SMTPToken', 'x'.repeat(501))).code).toBe('setting.invalid')
    expect((await set('SMTPServer', 'not a host')).code).toBe('setting.invalid')
    await set('SMTPServer', 'other.example')
    expect(await listed('SMTPToken')).toMatchObject({ is_set: false })
    await set('SMTPToken', password)
    await set('SMTPServer', 'other.example')
    expect(await listed('SMTPToken')).toMatchObject({ is_set: true })
    await set('SMTPToken', '')
    expect(await listed('SMTPToken')).toMatchObject({ is_set: false })
  })
})
