import type { Email } from 'postal-mime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../../../test/harness/mail-server.ts'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import workQueue from '../../jobs/work-queue.ts'
import { codeAtStep, stepAt } from '../../lib/credentials/totp.ts'

let hub: TestApp
let mailServer: MailServer
let names = 0
const next = (word: string) => `${word}-${++names}`
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })

const emailsTo = (address: string) =>
  mailServer.emails.filter(each => each.recipients.includes(address))

/** Sends what is queued and waits for an e-mail with this text that no test has read. */
const emailTo = async (address: string, text: RegExp): Promise<Email> => {
  const find = () => emailsTo(address).find(each => text.test(`${each.subject}\n${each.text}`))
  await expect
    .poll(async () => {
      await workQueue.run(hub.app)
      return find() !== undefined
    })
    .toBe(true)
  const email = find()!
  mailServer.emails.splice(mailServer.emails.indexOf(email), 1)
  return email
}
const codeTo = async (address: string): Promise<string> =>
  /^\d{6}$/m.exec((await emailTo(address, /^\d{6}$/m)).text ?? '')![0]
const tokenTo = async (address: string): Promise<string> =>
  /#token=([\w-]+)/.exec((await emailTo(address, /#token=/)).text ?? '')![1]!

const ask = async (path: string, email: string, headers: Record<string, string> = {}) => {
  hub.clock.now += 61_000
  return hub.guest({ headers }).post(path, { email })
}
const askCode = (email: string, headers = {}) => ask('/api/verification', email, headers)
const askReset = (email: string, headers = {}) => ask('/api/reset_password', email, headers)
const register = async (username: string, email: string, verification_code: string) =>
  (
    await hub
      .guest()
      .post('/api/user/register', { username, password: 'a-password', email, verification_code })
  ).body
const canSignIn = async (username: string, password: string) =>
  (await hub.guest().signIn(username, password)).status === 200

const verificationTests = () => {
  it('an account needs the code that was sent to its address, once', async () => {
    await set('EmailVerificationEnabled', 'true')
    expect((await hub.guest().get('/api/status')).body.data.email_verification).toBe(true)
    const email = `${next('ann')}@example.com`
    expect((await askCode(email.toUpperCase())).body).toMatchObject({ success: true, data: null })
    const code = await codeTo(email)
    for (const wrong of ['', '000000'])
      expect((await register(next('user'), email, wrong)).code).toBe('mail.code_wrong')
    const foreign = await register(next('user'), 'other@example.com', code)
    expect(foreign.code).toBe('mail.code_wrong')
    const name = next('user')
    expect((await register(name, email, code)).success).toBe(true)
    expect((await hub.guest().signIn(name, 'a-password')).body.data.email).toBe(email)
    expect((await register(next('user'), email, code)).code).toBe('mail.code_wrong')
    await set('EmailVerificationEnabled', 'false')
    expect((await register(next('user'), 'x@example.com', '')).code).toBe('request.invalid')
  })

  it('five wrong guesses or ten minutes end a code, and a new one replaces it', async () => {
    await set('EmailVerificationEnabled', 'true')
    const email = `${next('bob')}@example.com`
    await askCode(email)
    const first = await codeTo(email)
    for (let n = 0; n < 5; n++) await register(next('user'), email, `99999${n}`)
    expect((await register(next('user'), email, first)).code).toBe('mail.code_wrong')
    await askCode(email)
    const late = await codeTo(email)
    hub.clock.now += 601_000
    expect((await register(next('user'), email, late)).code).toBe('mail.code_wrong')
    await askCode(email)
    const old = await codeTo(email)
    await askCode(email)
    const current = await codeTo(email)
    if (old !== current) expect((await register(next('user'), email, old)).success).toBe(false)
    const answers = await Promise.all([1, 2, 3].map(() => register(next('user'), email, current)))
    expect(answers.filter(each => each.success)).toHaveLength(1)
  })

  it('only domains that the settings name are accepted', async () => {
    await set('EmailDomainRestrictionEnabled', 'true')
    await set('EmailDomainWhitelist', 'example.com, example.org')
    expect((await askCode('a@example.net')).body.code).toBe('mail.domain')
    expect((await askCode('a@evil-example.com')).body.code).toBe('mail.domain')
    expect((await askCode(`${next('c')}@example.org`)).body.success).toBe(true)
    expect((await set('EmailDomainWhitelist', 'not a domain')).body.code).toBe('setting.invalid')
    await set('EmailDomainRestrictionEnabled', 'false')
  })

  it('five e-mails an hour go to an address, whether somebody has it or not', async () => {
    const user = await hub.person(1, { email: `${next('dan')}@example.com` })
    const { email } = (await user.get('/api/user/self')).body.data
    for (const address of [email, `${next('nobody')}@example.com`]) {
      const statuses = []
      for (let n = 0; n < 4; n++) statuses.push((await askReset(address)).status)
      for (let n = 0; n < 2; n++) statuses.push((await askCode(address)).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      const refused = await askReset(address)
      expect(refused.body.code).toBe('rate.mail')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
  })
}

const resetTests = () => {
  it('S19 a link to choose a new password works once, ends all sessions, and is not used up by a GET', async () => {
    const email = `${next('eve')}@example.com`
    const user = await hub.person(1, { email })
    await askReset(email, { host: 'evil.example' })
    const mail = await emailTo(email, /#token=/)
    expect(mail.text).toContain('http://localhost:3000/user/reset#token=')
    expect(`${mail.text}${mail.html}`).not.toContain('evil.example')
    const token = /#token=([\w-]+)/.exec(mail.text ?? '')![1]!
    await hub.guest().get(`/user/reset?token=${token}`)
    await hub.guest().get(`/api/user/reset?token=${token}`)
    const reset = (password: string) =>
      hub
        .guest()
        .post('/api/user/reset', { token, password })
        .then(({ body }) => body)
    expect((await reset('12345678')).code).toBe('password.common')
    const answers = await Promise.all([reset('one-new-password'), reset('two-new-password')])
    expect(answers.map(({ success }) => success).sort()).toEqual([false, true])
    expect((await reset('three-new-password')).code).toBe('reset.expired')
    expect((await user.get('/api/user/self')).status).toBe(401)
    expect(await canSignIn(user.username, user.password)).toBe(false)
    await emailTo(email, /password was changed/)
  })

  it('S19 a link ends after ten minutes, and for an account that was disabled', async () => {
    const email = `${next('fay')}@example.com`
    const user = await hub.person(1, { email })
    const reset = async (token: string) =>
      (await hub.guest().post('/api/user/reset', { token, password: 'a-new-password' })).body.code
    await askReset(email)
    const late = await tokenTo(email)
    hub.clock.now += 601_000
    expect(await reset(late)).toBe('reset.expired')
    await askReset(email)
    const banned = await tokenTo(email)
    await hub.root.post('/api/user/manage', { username: user.username, action: 'disable' })
    expect(await reset(banned)).toBe('reset.expired')
    expect(await reset('made-up')).toBe('reset.expired')
  })

  it('S21 a new password by a link skips no second factor', async () => {
    const email = `${next('gus')}@example.com`
    const user = await hub.person(1, { email })
    const proof = { current_password: user.password }
    const { secret } = (await user.post('/api/user/2fa/setup', proof)).body.data
    const code = codeAtStep(secret, stepAt(Math.floor(hub.clock.now / 1000)))
    await user.post('/api/user/2fa/enable', { code })
    await askReset(email)
    const guest = hub.guest()
    const body = { token: await tokenTo(email), password: 'a-new-password' }
    expect((await guest.post('/api/user/reset', body)).headers['set-cookie']).toBeUndefined()
    const { body: signedIn, headers } = await guest.signIn(user.username, 'a-new-password')
    expect([signedIn.data.require_2fa, headers['set-cookie']]).toEqual([true, undefined])
  })

  it('S23 C16 an address without an account gets the same answer, and another e-mail', async () => {
    const email = `${next('hal')}@example.com`
    await hub.person(1, { email })
    const unknown = `${next('nobody')}@example.com`
    expect((await askCode(email)).body).toEqual((await askCode(unknown)).body)
    await emailTo(email, /^One Hub: this address has an account\n/)
    await emailTo(unknown, /^One Hub: your verification code\n/)
    expect((await askReset(email)).body).toEqual((await askReset(unknown)).body)
    await emailTo(unknown, /no account has this e-mail address/)
  })
}

const textTests = () => {
  it.each([
    ['zh-CN,zh;q=0.9', '验证码', '您的验证码是'],
    ['zh-TW', '驗證碼', '您的驗證碼是'],
    ['en-GB,en;q=0.8', 'verification code', 'Your code is'],
    ['ja', '確認コード', '有効期限'],
    ['fr, de', 'verification code', 'Your code is'],
  ])('in %s the e-mail has its language in both parts', async (language, subject, text) => {
    const email = `${next('ivy')}@example.com`
    await askCode(email, { 'accept-language': language })
    const mail = await emailTo(email, new RegExp(text))
    expect(mail.subject).toContain(subject)
    expect(mail.html).toContain(text)
  })

  it('S13 a name cannot add a header, a recipient or markup to an e-mail', async () => {
    const email = `${next('joe')}@example.com`
    const user = await hub.person(1, { email })
    const display_name = '<b>Joe</b>\r\nBcc: all@example.com'
    expect((await user.put('/api/user/self', { display_name })).status).toBe(200)
    expect((await askReset(email)).status).toBe(200)
    const mail = await emailTo(email, /choose a new password by/)
    expect(mail.headers.filter(({ key }) => key === 'bcc')).toEqual([])
    expect(mail.html).toContain('&lt;b&gt;Joe')
    expect(mail.html).not.toContain('<b>Joe')
  })

  it('the owner of an account is told about a new access token, second factor and address', async () => {
    const email = `${next('kim')}@example.com`
    const user = await hub.person(1, { email })
    const proof = { current_password: user.password }
    await user.post('/api/user/token', proof)
    await emailTo(email, /access token/)
    const target = `${next('new')}@example.com`
    await askCode(target)
    const verification_code = await codeTo(target)
    const change = { email: target, verification_code }
    expect((await user.post('/api/user/email', change)).body.code).toBe('password.wrong')
    const { body } = await user.post('/api/user/email', { ...change, ...proof })
    expect(body.data.email).toBe(target)
    await emailTo(email, /e-mail address was changed/)
    const again = await user.post('/api/user/email', { ...change, ...proof })
    expect(again.body.code).toBe('mail.code_wrong')
  })

  it('the owner is told about another name and new backup codes, also where an administrator changes the account', async () => {
    const email = `${next('lee')}@example.com`
    const user = await hub.person(1, { email })
    const proof = { current_password: user.password }
    await user.put('/api/user/self', { username: next('renamed'), ...proof })
    await emailTo(email, /username was changed/)
    const { secret } = (await user.post('/api/user/2fa/setup', proof)).body.data
    const nextCode = () => {
      hub.clock.now += 30_000
      return codeAtStep(secret, stepAt(Math.floor(hub.clock.now / 1000)))
    }
    await user.post('/api/user/2fa/enable', { code: nextCode() })
    await emailTo(email, /verification was turned on/)
    await user.post('/api/user/2fa/backup_codes', { ...proof, code: nextCode() })
    await emailTo(email, /new backup codes/)

    const change = async (fields: object) =>
      expect((await hub.root.put('/api/user/', { id: user.id, ...fields })).status).toBe(200)
    await change({ username: next('renamed') })
    await emailTo(email, /username was changed/)
    await change({ display_name: 'Lee' })
    const target = `${next('new')}@example.com`
    await change({ email: target })
    await emailTo(email, /e-mail address was changed/)
    await change({ email: target, password: 'another-password' })
    await emailTo(target, /password was changed/)
    expect([...emailsTo(email), ...emailsTo(target)]).toEqual([])
  })

  it('without a mail server nothing is promised', async () => {
    await set('SMTPServer', '')
    expect((await askCode('x@example.com')).body.code).toBe('mail.unset')
    expect((await askReset('x@example.com')).body.code).toBe('mail.unset')
  })
}

const outageTests = () => {
  it('a mail server that comes back delivers the newest code and the newest link only', async () => {
    const { email } = await hub
      .person(1, { email: `${next('kim')}@example.com` })
      .then(async user => (await user.get('/api/user/self')).body.data)
    const fresh = `${next('new')}@example.com`
    const { port } = mailServer
    await mailServer.close()
    for (let n = 0; n < 3; n += 1) {
      expect((await askCode(fresh)).status).toBe(200)
      expect((await askReset(email)).status).toBe(200)
      await workQueue.run(hub.app)
    }
    mailServer = await startMailServer(port)
    hub.clock.now += 120_000
    const code = await codeTo(fresh)
    await emailTo(email, /#token=/)
    hub.clock.now += 3_600_000
    await workQueue.run(hub.app)
    expect([...emailsTo(fresh), ...emailsTo(email)]).toEqual([])
    expect(code).toMatch(/^\d{6}$/)
  })
}

onBothEnginesInLongRuns('e-mails about sign-ins', open => {
  beforeAll(async () => {
    mailServer = await startMailServer()
    hub = await open({ LANGUAGE: 'en_US' })
    await set('SMTPServer', '127.0.0.1')
    await set('SMTPPort', String(mailServer.port))
    await set('SMTPFrom', 'hub@example.com')
    await set('PasswordResetEnabled', 'true')
  })
  afterAll(() => mailServer?.close())
  verificationTests()
  resetTests()
  outageTests()
  textTests()
})
