import { isSecretSetting, settings } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, type Person } from '../harness/admin.ts'
import { describeOneEngineBeforeSoak } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { accessTable, lowestRoles } from './access-table.ts'
import { optionTable, secretOptions } from './option-table.ts'

type Role = keyof typeof lowestRoles
type Option = { key: string; value: string }

const optionKeys = Object.values(settings).flatMap(({ shape }) => Object.keys(shape))

/** One of them is a valid other value of any option. */
const otherValues = [
  ...[
    'true',
    'false',
    '7',
    '8',
    '60',
    '0.5',
    'another',
    'https://another.example',
    'another.example',
    'another/',
    'at_once',
  ],
  ...[
    'other@another.example',
    '{"100":0.5}',
    '{"default":7}',
    '[]',
    'Asia/Tokyo',
    '05:30',
    'overwrite',
    'log',
    'webhook',
    '42:AAanotherToken',
  ],
  ...['<script src="https://another.example/a.js"></script>', 'http://proxy.example:8080'],
]

describeOneEngineBeforeSoak(engine => {
  let hub: TestHub
  let user: Person
  let admin: Person
  beforeAll(async () => {
    hub = await startTestHub(engine)
    // Some switches are refused while the site has no address that people reach.
    await hub.admin.setOption('ServerAddress', 'https://hub.example')
    user = await hub.admin.addPerson(1_000_000)
    admin = await hub.admin.addPerson(1_000_000, {}, { role: lowestRoles.administrator })
  })
  afterAll(() => hub?.close())

  const call = (role: Role, method: string, path: string, body?: unknown) => {
    const session = {
      visitor: {},
      user: { cookie: user.cookie },
      administrator: { cookie: admin.cookie },
      root: { bearer: hub.gateway.accessToken },
    }[role]
    return callApi<unknown>(hub.gateway, session, method, path, body)
  }
  const options = () => hub.admin.api<Option[]>('GET', '/api/option/')

  it('S24 C38 the option table has every option, and names every secret', () => {
    const listed = [...Object.values(optionTable).flat(), ...secretOptions]
    expect(listed.sort()).toEqual([...optionKeys].sort())
    expect([...secretOptions].sort()).toEqual(optionKeys.filter(isSecretSetting).sort())
  })

  it('S9 C1 only root changes an option, whichever it is', async () => {
    const before = await options()
    for (const key of optionKeys)
      for (const [role, status] of [
        ['visitor', 401],
        ['user', 403],
        ['administrator', 403],
      ] as const)
        for (const [method, body] of [['PUT', { key, value: '1' }], ['GET']] as const) {
          const response = await call(role, method, '/api/option/', body)
          expect([role, key, response.status, response.data]).toEqual([
            role,
            key,
            status,
            undefined,
          ])
        }
    expect(await options()).toEqual(before)
  })

  const answersFor = async (role: 'visitor' | 'user') => {
    const answers: Record<string, unknown> = {}
    for (const [method, path, lowest] of accessTable) {
      if (method !== 'GET' || lowest !== role || /:|logout|session|oauth\/state/.test(path))
        continue
      const { status, data } = await call(role, method, path)
      answers[path] = [status, data]
    }
    return JSON.stringify(answers)
  }
  /** Returns the value before, or nothing if no other value is taken. */
  const changeOption = async (key: string): Promise<string | undefined> => {
    const rows = await options()
    const { value: old } = rows.find(each => each.key === key)!
    for (const value of otherValues)
      if (value !== old && (await call('root', 'PUT', '/api/option/', { key, value })).success)
        return old
    return undefined
  }
  /** A switch is taken, or has an effect, once the settings that it needs are set: it may take another round. */
  const changeAll = async (keys: readonly string[], isSeen: (key: string) => Promise<boolean>) => {
    let waiting = [...keys]
    while (waiting.length > 0) {
      const refused: string[] = []
      for (const key of waiting) {
        const old = await changeOption(key)
        if (old !== undefined && (await isSeen(key))) continue
        if (old !== undefined) await hub.admin.setOption(key, old)
        refused.push(key)
      }
      expect(refused.length, refused.join()).toBeLessThan(waiting.length)
      waiting = refused
    }
  }

  it('S24 C38 an option is seen by the roles of the option table, and by no others', async () => {
    const before = { visitor: await answersFor('visitor'), user: await answersFor('user') }
    // A new server removes the secret of the one before.
    await changeAll([...optionTable.root, ...secretOptions], async () => true)
    expect(await answersFor('visitor')).toBe(before.visitor)
    expect(await answersFor('user')).toBe(before.user)
    for (const key of optionTable.user) {
      const old = await changeOption(key)
      expect([key, (await answersFor('user')) === before.user]).toEqual([key, false])
      await hub.admin.setOption(key, old ?? '')
    }
    expect(await answersFor('visitor')).toBe(before.visitor)
    await changeAll(optionTable.visitor, async () => {
      const last = before.visitor
      before.visitor = await answersFor('visitor')
      return before.visitor !== last
    })
    const rows = await options()
    const secrets = rows.filter(({ key }) => secretOptions.includes(key))
    expect(secrets.map(({ value }) => value)).toEqual(secretOptions.map(() => ''))
  })
})
