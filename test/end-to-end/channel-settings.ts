import type { ChannelBatchRun, Settings } from '@hub/contract'
import { expect } from 'vitest'
import { until } from '../harness/runner/until.ts'
import type { TestHub } from '../harness/test-hub.ts'

type Key = keyof Settings['channels']

/** Admin calls on the channels of a hub, as the tests of the settings need them. */
const channelActions = (hub: () => TestHub) => {
  const set = (key: Key, value: string) => hub().admin.setOption(key, value)
  const add = async (name: string, more: object = {}): Promise<number> => {
    const { admin, upstream } = hub()
    const [channel] = await admin.addChannel(`${upstream.url}/${name}`, {
      models: `${name}:*`,
      test_model: `${name}:out=1`,
      ...more,
    })
    await admin.setPrice(`${name}:*`, 'tokens', 1)
    return channel?.id ?? 0
  }
  const statusOf = async (id: number) =>
    (await hub().admin.api<{ status: number }>('GET', `/api/channel/${id}`)).status
  const remove = (id: number) => hub().admin.api('DELETE', `/api/channel/${id}`)
  const chat = async (model: string) => {
    const { key } = await hub().admin.addPerson(1_000_000)
    return hub().ask({ key, model })
  }
  const testAll = async () => {
    await hub().admin.api('POST', '/api/channel/test')
    return until('the round is over', async () => {
      const rounds = await hub().admin.api<ChannelBatchRun[]>('GET', '/api/channel/rounds')
      const round = rounds.find(each => each.kind === 'test')
      return round?.ended_at ? round : undefined
    })
  }
  const isListed = async (key: Key, value: string) => {
    await set(key, value)
    const rows = await hub().admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
    expect(rows.find(each => each.key === key)?.value).toBe(value)
    await set(key, '0')
  }
  return { set, add, statusOf, remove, chat, testAll, isListed }
}
type ChannelActions = ReturnType<typeof channelActions>
type Checks = Record<Key, () => Promise<void>>

const automaticChecks = ({ set, add, statusOf, remove, chat, testAll }: ChannelActions) => ({
  AutomaticDisableChannelEnabled: async () => {
    const id = await add('dead')
    const wrong = 'dead:status=401;keywords=API key not valid'
    await chat(wrong)
    expect(await statusOf(id)).toBe(1)
    await set('AutomaticDisableChannelEnabled', 'true')
    await chat(wrong)
    await until('it is disabled', async () => (await statusOf(id)) === 3)
    await set('AutomaticDisableChannelEnabled', 'false')
    await remove(id)
  },
  AutomaticEnableChannelEnabled: async () => {
    const id = await add('back')
    await set('AutomaticDisableChannelEnabled', 'true')
    await chat('back:status=401')
    await until('it is disabled', async () => (await statusOf(id)) === 3)
    await testAll()
    expect(await statusOf(id)).toBe(3)
    await set('AutomaticEnableChannelEnabled', 'true')
    const round = await testAll()
    expect([await statusOf(id), round.enabled]).toEqual([1, 1])
    for (const key of ['AutomaticDisable', 'AutomaticEnable'] as const)
      await set(`${key}ChannelEnabled`, 'false')
    await remove(id)
  },
})

/** The part of `settings.test.ts` about channels: each check changes its setting and observes an effect. */
export const channelSettings = (hub: () => TestHub): Checks => {
  const actions = channelActions(hub)
  const { set, add, statusOf, remove, chat, testAll, isListed } = actions
  return {
    ...automaticChecks(actions),
    ChannelDisableThreshold: async () => {
      const id = await add('slow', { test_model: 'slow:first=700;out=1' })
      await set('ChannelDisableThreshold', '0')
      await testAll()
      expect(await statusOf(id)).toBe(1)
      await set('ChannelDisableThreshold', '0.5')
      await testAll()
      const { status, status_reason } = await hub().admin.api<Record<string, unknown>>(
        'GET',
        `/api/channel/${id}`,
      )
      expect([status, status_reason]).toEqual([3, expect.stringMatching(/^test: 0\.\d s/)])
      await set('ChannelDisableThreshold', '5')
      await remove(id)
    },
    // The jobs that read these run rarely and have tests of their own.
    ChannelTestFrequency: () => isListed('ChannelTestFrequency', '30'),
    ChannelUpdateFrequency: () => isListed('ChannelUpdateFrequency', '30'),
    BalanceWarningDays: () => isListed('BalanceWarningDays', '30'),
    ModelWatchHours: () => isListed('ModelWatchHours', '30'),
    UpstreamRatioHours: () => isListed('UpstreamRatioHours', '30'),
    DisableChannelKeywords: async () => {
      const id = await add('word')
      await set('AutomaticDisableChannelEnabled', 'true')
      await set('DisableChannelKeywords', 'purple elephant')
      // The phrase is not in the model's name: a phrase of the caller does not count.
      hub().upstream.behave('word', 'status=400;keywords=a purple elephant came in')
      await chat('word:x')
      await until('it is disabled', async () => (await statusOf(id)) === 3)
      await set('AutomaticDisableChannelEnabled', 'false')
      await remove(id)
    },
    PrivateAddressesAllowed: async () => {
      await set('PrivateAddressesAllowed', 'false')
      const refused = await chat('any:out=1')
      expect(refused.complete).toBe(false)
      await set('PrivateAddressesAllowed', 'true')
      await until('it serves again', async () => (await chat('any:out=1')).complete)
    },
  }
}
