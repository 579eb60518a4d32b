import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { administer, callApi } from '../harness/admin.ts'
import { openDatabase } from '../harness/engines.ts'
import { type Gateway, makeGateway } from '../harness/gateway.ts'
import { node, passwordReset, root } from '../harness/paths.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'

const runFile = promisify(execFile)
const noPassword = { INITIAL_ROOT_PASSWORD: '' }
const shownPasswords = (output: string) =>
  [...output.matchAll(/^ {4}([\w-]{16})$/gm)].map(each => each[1] as string)

describeEachEngine(engine => {
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })
  const make = async (): Promise<Gateway> => {
    const database = await openDatabase(engine)
    // The program that resets a password hashes at the real cost.
    const env = { REAL_PASSWORD_COST: '1' }
    const gateway = makeGateway({ databaseUrl: database.url, env })
    closing.push(database.close, gateway.close)
    return gateway
  }
  const reset = ({ dataDir, databaseUrl }: Gateway, ...args: string[]) =>
    runFile(node, [passwordReset, ...args], {
      cwd: root,
      env: { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) },
    })

  it('C14 the first password is shown even if the first start cannot listen', async () => {
    const gateway = await make()
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => blocker.once('listening', resolve))
    closing.push(() => new Promise(resolve => blocker.close(resolve)))
    const { port } = blocker.address() as { port: number }
    await expect(gateway.start({ ...noPassword, PORT: String(port) })).rejects.toThrow()
    const [password = 'none'] = shownPasswords(gateway.output())
    await gateway.start(noPassword)
    const { user } = await administer(gateway).signIn('root', password)
    expect(user.must_change_password).toBe(true)
    expect(shownPasswords(gateway.output())).toHaveLength(1)
  })

  it('`npm run reset-password` gives a new password to a running server, and ends what the old one opened', async () => {
    const gateway = await make()
    await gateway.start()
    const admin = administer(gateway)
    const { cookie } = await admin.signIn('root', gateway.rootPassword)
    const [password = 'none'] = shownPasswords((await reset(gateway)).stdout)
    const self = (session: object) => callApi(gateway, session, 'GET', '/api/user/self')
    expect((await self({ cookie })).status).toBe(401)
    expect((await self({ bearer: gateway.accessToken })).status).toBe(401)
    await expect(admin.signIn('root', gateway.rootPassword)).rejects.toThrow('400')
    const { user, cookie: fresh } = await admin.signIn('root', password)
    expect(user.must_change_password).toBe(true)
    const change = { password: 'one-of-my-own-choice', current_password: password }
    const changed = await callApi(gateway, { cookie: fresh }, 'PUT', '/api/user/self', change)
    expect(changed.status).toBe(200)
    await expect(reset(gateway, 'nobody')).rejects.toThrow('There is no user `nobody`')
  })
})
