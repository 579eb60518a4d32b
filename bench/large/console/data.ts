import { startKlingVendor } from '../../../apps/server/test/tasks/kling-vendor.ts'
import { startMidjourneyProxy, succeed } from '../../../apps/server/test/tasks/midjourney-proxy.ts'
import { makeImage, makeVideo, seedLists } from '../../../test/e2e/hub.ts'
import { type Administrator, administer } from '../../../test/harness/admin.ts'
import type { TestHub } from '../world.ts'

/** The largest page that the console offers. */
export const largestPage = 100
/** The models of one channel, which its page lists at once. */
export const modelRows = 500
/** A user may place few orders in an hour. */
const orders = 5
const groups = 10

const times = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

/** A channel with many models, and enough others for a full page. */
const addChannels = async (admin: Administrator, upstream: string): Promise<number> => {
  const models = ['gpt-4o-mini', 'gpt-4.1', ...times(modelRows - 2).map(n => `listed-${n}`)]
  const [made] = await admin.addChannel(upstream, { name: 'Listed', models: models.join(',') })
  const key = times(largestPage).map(n => `sk-listed-${n}`)
  await admin.addChannel(upstream, { models: 'listed-1', key: key.join('\n') })
  return made?.id ?? 0
}

const addTasks = async ({ gateway }: TestHub, admin: Administrator) => {
  const kling = await startKlingVendor()
  const midjourney = await startMidjourneyProxy()
  const close = async () => {
    await kling.close()
    await midjourney.close()
  }
  try {
    await admin.addChannel(kling.url, { type: 53, models: 'kling-v1', key: kling.key })
    await admin.addChannel(midjourney.url, {
      ...{ type: 34, models: 'mj_imagine', key: midjourney.secret },
    })
    for (const model of ['kling-v1', 'mj_imagine']) await admin.setPrice(model, 'times', 1)
    for (const n of times(largestPage)) {
      await makeVideo(gateway, `A dog on beach ${n}`)
      await makeImage(gateway, `A cat on sofa ${n}`)
    }
    for (const task of kling.tasks.values()) task.status = 'succeed'
    for (const task of midjourney.tasks.values()) succeed(midjourney, task)
    return close
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Fills the lists that the calls do not fill, each to a full page. Returns the channel with many models, and a function
 * that ends the vendors of the tasks.
 */
export const addListRows = async (hub: TestHub, upstream: string) => {
  const admin = administer(hub.gateway)
  const channelId = await addChannels(admin, upstream)
  await seedLists({ gateway: hub.gateway, upstream: { url: upstream }, admin })
  await admin.api('POST', '/api/redemption/', { name: 'Summer', quota: 1_000, count: largestPage })
  const [gateway] = await admin.api<{ uuid: string }[]>('GET', '/api/user/payment')
  for (const _ of times(orders))
    await admin.api('POST', '/api/user/order', { uuid: gateway?.uuid, amount: 20 })
  for (const n of times(groups))
    await admin.api('POST', '/api/user_group/', {
      ...{ symbol: `group-${n}`, name: `Group ${n}`, ratio: 1 },
    })
  for (const n of times(largestPage)) {
    await admin.api('POST', '/api/token/', { name: `token ${n}`, unlimited_quota: true })
    await admin.api('POST', '/api/model_ownedby/', {
      ...{ id: 2_000 + n, name: `Owner ${n}`, icon: '' },
    })
    await admin.api('POST', '/api/model_info/', {
      ...{ model: `listed-${n}`, name: `Listed ${n}`, description: 'Reads long documents.' },
      ...{ context_length: 128_000, max_tokens: 8_192 },
    })
  }
  return { channelId, close: await addTasks(hub, admin) }
}
