import type { Settings } from '@hub/contract'
import { expect } from 'vitest'
import type { startTurnstileService } from '../../apps/server/test/sign-in/turnstile-service.ts'
import { callApi } from '../harness/admin.ts'
import type { TestHub } from '../harness/test-hub.ts'

type Key = keyof Settings['turnstile']
type Service = Awaited<ReturnType<typeof startTurnstileService>>

export const turnstileSecret = 'turnstile-secret'

/** The part of `settings.test.ts` about the bot check. Each of them leaves it switched off. */
export const turnstileSettings = (
  hub: () => TestHub,
  service: () => Service,
): Record<Key, () => Promise<void>> => {
  const set = (key: Key, value: string) => hub().admin.setOption(key, value)
  const login = async (turnstile: string) => {
    const body = { username: 'nobody', password: 'wrong', turnstile }
    return (await callApi(hub().gateway, {}, 'POST', '/api/user/login', body)).code
  }
  const solve = async () => {
    const status = await callApi<{ server_address: string }>(
      hub().gateway,
      {},
      'GET',
      '/api/status',
    )
    return service().solve('login', new URL(status.data.server_address).hostname)
  }
  const whileOn = async (work: () => Promise<void>) => {
    await set('TurnstileSiteKey', 'site-key')
    await set('TurnstileSecretKey', turnstileSecret)
    await set('TurnstileCheckEnabled', 'true')
    await work()
    await set('TurnstileCheckEnabled', 'false')
  }
  return {
    TurnstileCheckEnabled: async () => {
      await whileOn(async () => expect(await login('')).toBe('turnstile.missing'))
      expect(await login('')).toBe('sign_in.refused')
    },
    TurnstileSiteKey: () =>
      whileOn(async () => {
        await set('TurnstileSiteKey', '')
        expect(await login('')).toBe('turnstile.unavailable')
      }),
    TurnstileSecretKey: () =>
      whileOn(async () => {
        expect(await login(await solve())).toBe('sign_in.refused')
        await set('TurnstileSecretKey', 'another')
        expect(await login(await solve())).toBe('turnstile.unavailable')
      }),
    TurnstileOutageAllowed: () =>
      whileOn(async () => {
        service().breakDown(true)
        expect(await login(await solve())).toBe('turnstile.unavailable')
        await set('TurnstileOutageAllowed', 'true')
        expect(await login(await solve())).toBe('sign_in.refused')
        await set('TurnstileOutageAllowed', 'false')
        service().breakDown(false)
      }),
  }
}
