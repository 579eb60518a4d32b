import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../../../test/harness/mail-server.ts'
import { makeGitHubUser } from '../../../../../test/harness/sign-in/fake-github.ts'
import {
  onBothEnginesInLongRuns,
  type TestApp,
  type TestClient,
  type TestUser,
} from '../../../test/harness.ts'
import { watchCredentials } from '../../../test/sign-in/credential-changes.ts'
import {
  begin,
  finish,
  signInWith,
  startThirdParties,
  visit,
} from '../../../test/sign-in/third-party.ts'
import workQueue from '../../jobs/work-queue.ts'

let hub: TestApp
let third: Awaited<ReturnType<typeof startThirdParties>>
let mailServer: MailServer
let ids = 5000
const becomeNewPerson = () => {
  ids += 1
  third.github.state.user = makeGitHubUser(ids)
  third.lark.state.user = { open_id: `ou_${ids}`, name: `Lark ${ids}` }
}
const proofOf = ({ password }: TestUser) => ({ current_password: password })
const beginBinding = (user: TestClient, type: string, proof: object) =>
  user.post('/api/oauth/bind', { type, ...proof })
const bind = async (user: TestUser, type: string) => {
  const { body } = await beginBinding(user, type, proofOf(user))
  return finish(user, type, await visit(body.data))
}
const identitiesOf = async (user: TestClient) =>
  (await user.get('/api/oauth/identities')).body.data as {
    type: string
    label: string
    bound: boolean
  }[]
const boundTypes = async (user: TestClient) =>
  (await identitiesOf(user)).filter(each => each.bound).map(each => each.type)
const self = async (user: TestClient) => (await user.get('/api/user/self')).body.data

const bindTests = () => {
  it('a signed-in user binds an account, signs in by it, and removes it', async () => {
    becomeNewPerson()
    const user = await hub.person()
    const { body } = await bind(user, 'github')
    expect(body).toEqual({ success: true, message: 'bind', data: null })
    expect(await boundTypes(user)).toEqual(['github'])
    expect((await self(user)).github_id).toBe(String(ids))
    const [github] = await identitiesOf(user)
    expect(github).toMatchObject({ type: 'github', label: `octo-${ids}`, bound: true })
    expect((await signInWith(hub.guest(), 'github')).body.data.id).toBe(user.id)
    const unbind = { type: 'github', ...proofOf(user) }
    expect((await user.post('/api/user/unbind', unbind)).status).toBe(200)
    expect((await user.post('/api/user/unbind', unbind)).body.code).toBe('oauth.not_bound')
    expect((await signInWith(hub.guest(), 'github')).body.data.id).not.toBe(user.id)
  })

  it('S17 a session binds nothing by itself: the state must have been issued for binding', async () => {
    becomeNewPerson()
    const user = await hub.person()
    const before = user.cookie()
    const { body } = await finish(user, 'github', await visit(await begin(user, 'github')))
    expect([body.message, body.data.id === user.id]).toEqual(['', false])
    expect((await signInWith(hub.guest(), 'github')).body.data.id).toBe(body.data.id)
    expect(user.cookie()).not.toBe(before)
  })

  it('S17 S21 a binding needs fresh proof, and the session and browser in which it began', async () => {
    becomeNewPerson()
    const [user, other] = [await hub.person(), await hub.person()]
    expect((await beginBinding(user, 'github', {})).body.code).toBe('password.wrong')
    expect((await beginBinding(hub.guest(), 'github', {})).status).toBe(401)
    expect((await beginBinding(hub.root, 'github', {})).body.code).toBe('session.missing')
    const backOf = async () => visit((await beginBinding(user, 'github', proofOf(user))).body.data)
    for (const stranger of [other, hub.guest()])
      expect((await finish(stranger, 'github', await backOf())).body.code).toBe('oauth.state')
    const marked = hub.guest({ headers: { cookie: user.cookie().replace(/hub=[^;]+;? ?/, '') } })
    expect((await finish(marked, 'github', await backOf())).body.code).toBe('oauth.state')
    const back = await backOf()
    await user.signIn(user.username, user.password)
    expect((await finish(user, 'github', back)).body.code).toBe('oauth.state')
    expect(await boundTypes(user)).toEqual([])
  })

  it('C20 the owner is notified of an account that was bound or removed', async () => {
    becomeNewPerson()
    const user = await hub.person()
    const changes = await watchCredentials(hub, user.id)
    await bind(user, 'github')
    expect(await changes()).toEqual(['identity-added'])
    await user.post('/api/user/unbind', { type: 'github' })
    await user.post('/api/user/unbind', { type: 'github', ...proofOf(user) })
    expect(await changes()).toEqual(['identity-added', 'identity-removed'])
  })

  it('an account belongs to one user, and a user has one account of a provider', async () => {
    becomeNewPerson()
    const [user, other] = [await hub.person(), await hub.person()]
    await bind(user, 'github')
    expect((await bind(other, 'github')).body.code).toBe('oauth.bound')
    expect((await bind(user, 'github')).body.message).toBe('bind')
    becomeNewPerson()
    expect((await bind(user, 'github')).body.code).toBe('oauth.bound_other')
    const answers = await Promise.all([bind(other, 'github'), bind(await hub.person(), 'github')])
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  })
}

const unbindTests = () => {
  it('the last way to sign in stays, also when two are removed at the same time', async () => {
    becomeNewPerson()
    const user = hub.guest()
    await signInWith(user, 'github')
    expect((await user.post('/api/user/unbind', { type: 'github' })).body.code).toBe(
      'sign_in.last_way',
    )
    const { body } = await beginBinding(user, 'lark', {})
    expect((await finish(user, 'lark', await visit(body.data))).body.message).toBe('bind')
    const answers = await Promise.all(
      ['github', 'lark'].map(type => user.post('/api/user/unbind', { type })),
    )
    expect(answers.map(each => each.status).sort()).toEqual([200, 409])
    expect(await boundTypes(user)).toHaveLength(1)
  })

  it('S21 removing an account needs fresh proof', async () => {
    becomeNewPerson()
    const user = await hub.person()
    await bind(user, 'github')
    expect((await user.post('/api/user/unbind', { type: 'github' })).body.code).toBe(
      'password.wrong',
    )
    expect((await user.get('/api/user/unbind?type=github')).status).toBe(405)
    expect(await boundTypes(user)).toEqual(['github'])
    const guest = hub.guest()
    becomeNewPerson()
    await signInWith(guest, 'github')
    hub.clock.now += 601_000
    expect((await guest.post('/api/user/unbind', { type: 'github' })).body.code).toBe(
      'session.not_recent',
    )
  })

  it('the owner is told about a bound and a removed account', async () => {
    mailServer = await startMailServer()
    const settings = {
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mailServer.port),
      SMTPFrom: 'hub@example.com',
    }
    for (const [key, value] of Object.entries(settings))
      await hub.root.put('/api/option/', { key, value })
    becomeNewPerson()
    const email = 'owner@example.com'
    const user = await hub.person(1, { email })
    await bind(user, 'github')
    await user.post('/api/user/unbind', { type: 'github', ...proofOf(user) })
    const subjects = () => mailServer.emails.map(each => each.subject).sort()
    await expect
      .poll(async () => {
        await workQueue.run(hub.app)
        return subjects()
      })
      .toEqual([
        'One Hub: an account for signing in was bound',
        'One Hub: an account for signing in was removed',
      ])
    await hub.root.put('/api/option/', { key: 'SMTPServer', value: '' })
  })
}

onBothEnginesInLongRuns('accounts at third parties', open => {
  beforeAll(async () => {
    hub = await open({ LANGUAGE: 'en_US' })
    third = await startThirdParties(hub)
  })
  afterAll(async () => {
    await third?.close()
    await mailServer?.close()
  })
  bindTests()
  unbindTests()
})
