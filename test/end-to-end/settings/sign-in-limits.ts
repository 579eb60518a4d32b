import type { Settings } from '@hub/contract'
import { expect } from 'vitest'
import { callApi, type Person } from '../../harness/admin.ts'
import type { TestHub } from '../../harness/test-hub.ts'

type Key = keyof Settings['signInLimits']

const begin = '/api/user/passkey/login/begin'
const register = '/api/user/register'
const signIn = (n: number) => ({ username: `somebody-${n}`, password: 'wrong' })
const mailOf = (n: number) => ({ email: `limit-${n}@example.com` })
const newcomer = (n: number) => ({ username: `limited-${n}`, password: 'a-good-password' })

/** The part of `settings.test.ts` about limits of sign-in. Each one is set to its least value, and back. */
export const signInLimitSettings = (
  hub: () => TestHub,
  person: () => Person,
  defaults: Record<Key, unknown>,
): Record<Key, () => Promise<void>> => {
  const set = (key: Key, value: number) => hub().admin.setOption(key, String(value))
  let addresses = 0
  /** Sends the request more often than the least value allows, from one new address. */
  const codesOf = async (path: string, bodyOf: (n: number) => object, times: number) => {
    addresses += 1
    const from = `203.0.113.${100 + addresses}`
    const codes: (string | undefined)[] = []
    for (let n = 0; n < times; n += 1)
      codes.push((await callApi(hub().gateway, { from }, 'POST', path, bodyOf(n))).code)
    return codes
  }
  const withLeast = async (key: Key, least: number, work: () => Promise<void>) => {
    await set(key, least)
    await work()
    await set(key, Number(defaults[key]))
  }
  const limitIs = (key: Key, least: number, path: string, bodyOf: (n: number) => object) => () =>
    withLeast(key, least, async () => {
      const codes = await codesOf(path, bodyOf, least + 1)
      expect(codes.at(-2)).not.toBe('rate.critical')
      expect(codes.at(-1)).toBe('rate.critical')
    })
  const perAddress = {
    FailuresPerAddressMax: limitIs('FailuresPerAddressMax', 5, '/api/user/login', signIn),
    StartsPerAddressMax: limitIs('StartsPerAddressMax', 20, begin, () => ({})),
    MessagesPerAddressMax: limitIs('MessagesPerAddressMax', 3, '/api/reset_password', mailOf),
    RegistrationsPerAddressMax: limitIs('RegistrationsPerAddressMax', 1, register, newcomer),
  }
  return {
    ...perAddress,
    SignInLimitMinutes: () =>
      withLeast('SignInLimitMinutes', 1, async () => {
        await set('FailuresPerAddressMax', 5)
        const from = '203.0.113.99'
        const attempt = () =>
          fetch(`${hub().gateway.url}/api/user/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
            body: JSON.stringify(signIn(0)),
          })
        let last = await attempt()
        for (let n = 0; n < 60 && last.status !== 429; n += 1) last = await attempt()
        expect(last.status).toBe(429)
        expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(60)
        await set('FailuresPerAddressMax', Number(defaults.FailuresPerAddressMax))
      }),
    FailuresPerAccountMax: () =>
      withLeast('FailuresPerAccountMax', 3, async () => {
        const codes = await codesOf('/api/user/login', () => signIn(1_000), 4)
        expect(codes).toEqual([...Array(3).fill('sign_in.refused'), 'sign_in.locked'])
      }),
    FailuresPerAccountTotalMax: () =>
      withLeast('FailuresPerAccountTotalMax', 10, async () => {
        const codes: (string | undefined)[] = []
        for (let n = 0; n < 11; n += 1)
          codes.push(...(await codesOf('/api/user/login', () => signIn(2_000), 1)))
        expect(codes.slice(-2)).toEqual(['sign_in.refused', 'sign_in.locked'])
      }),
    FailedCodesPerUserMax: () =>
      withLeast('FailedCodesPerUserMax', 3, async () => {
        const redeem = async (n: number) => {
          const key = n.toString(16).padStart(32, '0')
          const session = { cookie: person().cookie }
          return (await callApi(hub().gateway, session, 'POST', '/api/user/topup', { key })).code
        }
        const codes = [await redeem(1), await redeem(2), await redeem(3), await redeem(4)]
        expect(codes.slice(-2)).toEqual(['redemption.unknown', 'rate.critical'])
      }),
  }
}
