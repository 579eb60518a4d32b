import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type KlingVendor, startKlingVendor } from '../../apps/server/test/tasks/kling-vendor.ts'
import {
  type MidjourneyProxy,
  startMidjourneyProxy,
  succeed,
} from '../../apps/server/test/tasks/midjourney-proxy.ts'
import { type Administrator, administer, type Person } from '../harness/admin.ts'
import { type Gateway, startGateway } from '../harness/gateway.ts'
import { startUpstream, type Upstream } from '../upstream/start.ts'

export type Hub = { gateway: Gateway; upstream: Upstream; admin: Administrator }

/** A gateway from its first start on, and a vendor that it may be connected to. */
export const openHub = async (
  env: Record<string, string> = {},
): Promise<Hub & { close(): Promise<void> }> => {
  const upstream = await startUpstream()
  const gateway = await startGateway({ env: { TRUSTED_PROXIES: '', ...env } })
  return {
    gateway,
    upstream,
    admin: administer(gateway),
    close: async () => {
      await gateway.close()
      await upstream.close()
    },
  }
}

/** A gateway that may also be connected to a vendor of videos and to one of images. */
export const openTaskHub = async () => {
  const kling = await startKlingVendor()
  const midjourney = await startMidjourneyProxy()
  const ports = [kling, midjourney].map(({ url }) => new URL(url).port).join()
  const hub = await openHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: ports })
  return {
    ...{ ...hub, kling, midjourney },
    /** Videos and images that run, have failed and are done. */
    seedTasks: async () => {
      await seedVideos(hub, kling)
      await seedImages(hub, midjourney)
    },
    close: async () => {
      await hub.close()
      await kling.close()
      await midjourney.close()
    },
  }
}

/** A fixture that is closed after its test or its worker. */
export const opened =
  <T extends { close(): unknown }>(open: () => Promise<T>) =>
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form.
  async ({}, use: (fixture: T) => Promise<void>): Promise<void> => {
    const fixture = await open()
    await use(fixture)
    await fixture.close()
  }

/** `hub` is new for each test, `seeded` is shared by a worker's and has something on every page. */
export const test = base.extend<
  { hub: Hub },
  { seeded: Hub & { kling: KlingVendor; midjourney: MidjourneyProxy } }
>({
  hub: opened(() => openHub()),
  seeded: [
    opened(async () => {
      const hub = await openTaskHub()
      await seed(hub)
      await hub.seedTasks()
      return hub
    }),
    { scope: 'worker', timeout: 300_000 },
  ],
})

/** Two channels, prices, people, tokens, calls and faults: what a small team has after a day. */
export const seed = async ({ gateway, upstream, admin }: Hub): Promise<void> => {
  await admin.addChannel(`${upstream.url}/a`, {
    name: 'Main account',
    models: 'gpt-4o-mini,gpt-4.1,any:*',
    tag: 'team',
  })
  await admin.addChannel(`${upstream.url}/b`, {
    name: 'Spare account',
    models: 'gpt-4o-mini',
    priority: 0,
  })
  await admin.setPrice('gpt-4o-mini', 'tokens', 0.075, 0.3)
  await admin.setPrice('gpt-4.1', 'tokens', 1, 4)
  await admin.setPrice('any:*', 'tokens', 1)
  const { ask } = await import('../harness/client.ts')
  for (const display_name of ['Ada', 'Lin'])
    await admin.addPerson(5_000_000, { name: `${display_name}'s laptop` }, { display_name })
  await seedLists({ gateway, upstream, admin })
  await seedModelInfo(admin)
  for (let at = 0; at < 12; at += 1)
    await ask({
      url: gateway.url,
      key: gateway.rootKey,
      model: at % 3 ? 'gpt-4o-mini' : 'gpt-4.1',
      stream: at % 2 === 0,
    })
  await ask({ url: gateway.url, key: gateway.rootKey, model: 'any:status=500' })
}

type ListHub = Omit<Hub, 'upstream'> & { upstream: Pick<Upstream, 'url'> }
/** Adds a payment gateway, a sign-in provider, a command, targets, a virtual model and codes. */
export const seedLists = async ({ gateway, upstream, admin }: ListHub): Promise<void> => {
  await admin.setOption('UserInvoiceMonth', 'true')
  await admin.setOption('RechargeDiscount', '{"20": 1, "100": 0.9}')
  await admin.api('POST', '/api/payment/', {
    ...{ type: 'epay', name: 'Epay', icon: `${gateway.url}/favicon.svg`, currency: 'CNY' },
    ...{ percent_fee: 0.05, notify_domain: gateway.url },
    config: { pay_domain: upstream.url, partner_id: '1001', key: 'a-key', pay_type: 'alipay' },
  })
  await admin.api('POST', '/api/custom-oauth-provider/', {
    ...{ name: 'Company', slug: 'company', issuer: 'https://login.example.com', enabled: false },
    ...{ client_id: 'hub', client_secret: 'a-secret' },
  })
  const menu = { command: 'price', description: 'What a call costs', parse_mode: 'html' }
  await admin.api('POST', '/api/option/telegram/', { ...menu, reply_message: '<b>Prices</b>' })
  await seedNotifications(admin, upstream.url)
  await admin.api('POST', '/api/virtual_model/', {
    name: 'smart',
    candidates: [
      { model: 'gpt-4o-mini', max_tokens: 8_000, tools: 'without', weight: 3 },
      { model: 'gpt-4.1', from: '22:00', until: '06:00' },
      { model: 'gpt-4.1', group: 'default', tier: 2 },
    ],
  })
  await admin.api('POST', '/api/redemption/', { name: 'Spring', quota: 500_000, count: 3 })
}

/** Descriptions of an offered model and of one that no channel offers. */
const seedModelInfo = async (admin: Administrator): Promise<void> => {
  for (const model of ['gpt-4.1', 'retired-model'])
    await admin.api('POST', '/api/model_info/', {
      ...{ model, name: 'GPT-4.1', description: 'Reads long documents and pictures.' },
      ...{ context_length: 1_047_576, max_tokens: 32_768 },
      ...{ input_modalities: '["text","image"]', output_modalities: '["text"]' },
      ...{ tags: '["Hot","Code"]', support_url: '["https://platform.openai.com/docs/models"]' },
    })
}

/** A target of the administrators and one of the root user, each with a delivery that failed. */
const seedNotifications = async (admin: Administrator, url: string): Promise<void> => {
  const config = { url: `${url}/hook`, secret: 'a secret of 16 characters' }
  for (const path of ['/api/notification/', '/api/user/notification/']) {
    const hook = { name: 'Operators', type: 'webhook', config, events: ['task.failed'] }
    const { id } = await admin.api<{ id: number }>('POST', path, { ...hook, digest: 'hourly' })
    await admin.api('POST', `${path}${id}/test`)
  }
}

/** A video that runs, one that failed and one that is done. */
const seedVideos = async ({ gateway, admin }: Hub, kling: KlingVendor): Promise<void> => {
  await admin.addChannel(kling.url, {
    name: 'Videos',
    type: 53,
    models: 'kling-v1',
    key: kling.key,
  })
  await admin.setPrice('kling-v1', 'times', 100, 100)
  for (const status of ['processing', 'failed', 'succeed']) {
    await makeVideo(gateway, 'A dog on the beach')
    const task = [...kling.tasks.values()].at(-1)!
    Object.assign(task, { status, message: status === 'failed' ? 'The prompt was refused.' : '' })
  }
  const statuses = async (): Promise<string[]> => {
    const { data } = await admin.api<{ data: { status: string }[] }>('GET', '/api/task/')
    return data.map(each => each.status)
  }
  await expect
    .poll(async () => (await statuses()).toSorted(), { timeout: 60_000 })
    .toEqual(['FAILURE', 'IN_PROGRESS', 'SUCCESS'])
}

/** An image that is made, one that failed and one that is done. */
const seedImages = async ({ gateway, admin }: Hub, midjourney: MidjourneyProxy): Promise<void> => {
  await admin.addChannel(midjourney.url, {
    name: 'Images',
    type: 34,
    models: 'mj_imagine,mj_turbo_imagine',
    key: midjourney.secret,
  })
  for (const [prefix, status] of [
    ['mj', 'IN_PROGRESS'],
    ['mj', 'FAILURE'],
    ['mj-turbo/mj', 'SUCCESS'],
  ] as const) {
    await makeImage(gateway, 'A cat on a red sofa, in the style of a woodcut', prefix)
    const task = [...midjourney.tasks.values()].at(-1)!
    if (status === 'SUCCESS') succeed(midjourney, task)
    else Object.assign(task, { status, progress: '42%', failReason: 'The prompt was refused.' })
  }
  const statuses = async (): Promise<string[]> => {
    const { data } = await admin.api<{ data: { status: string }[] }>('GET', '/api/mj/')
    return data.map(each => each.status)
  }
  await expect
    .poll(async () => (await statuses()).toSorted(), { timeout: 60_000 })
    .toEqual(['FAILURE', 'IN_PROGRESS', 'SUCCESS'])
}

export const makeImage = async (
  { url, rootKey }: Gateway,
  prompt: string,
  prefix = 'mj',
): Promise<void> => {
  const { ok } = await fetch(`${url}/${prefix}/submit/imagine`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mj-api-secret': rootKey },
    body: JSON.stringify({ prompt }),
  })
  expect(ok).toBe(true)
}

export const makeVideo = async ({ url, rootKey }: Gateway, prompt: string): Promise<void> => {
  const { ok } = await fetch(`${url}/v1/videos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${rootKey}` },
    body: JSON.stringify({ model: 'kling-v1', prompt }),
  })
  expect(ok).toBe(true)
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>
type RootSession = { cookies: Cookies; signedInAt: number }
const rootSessions = new WeakMap<Gateway, RootSession>()
/** Some writes want a sign-in or a proof of the last ten minutes. */
const keptMs = 300_000

/**
 * Signs the root user in. Tests that share a gateway share its session for some minutes, since a gateway allows 20
 * sign-ins from one address within 20 minutes.
 */
export const signIn = async (page: Page, { gateway }: Hub): Promise<void> => {
  const context = page.context()
  const kept = rootSessions.get(gateway)
  if (kept && Date.now() - kept.signedInAt < keptMs) {
    await context.addCookies(kept.cookies)
    const session = await page.request.get(`${gateway.url}/api/user/session`)
    const { data } = (await session.json()) as { data: unknown }
    if (data) return
  }
  const response = await page.request.post(`${gateway.url}/api/user/login`, {
    data: { username: 'root', password: gateway.rootPassword },
    headers: { origin: gateway.url },
  })
  expect(response.status(), await response.text()).toBe(200)
  // Writes of money ask for a proof in a dialog, which `money.spec.ts` tests.
  const proof = await page.request.post(`${gateway.url}/api/user/proof`, {
    data: { current_password: gateway.rootPassword },
    headers: { origin: gateway.url },
  })
  expect(proof.status(), await proof.text()).toBe(200)
  const cookies = await context.cookies(gateway.url)
  rootSessions.set(gateway, { cookies, signedInAt: Date.now() })
}

/** Gives the page the session that a person has: an address may sign in 20 times in 20 minutes only. */
export const signInAs = (page: Page, { gateway }: Hub, { cookie }: Person): Promise<void> => {
  // The prefix of their names wants secure cookies, which a loopback address is sent without HTTPS too.
  const url = gateway.url.replace('http:', 'https:')
  const cookies = cookie.split('; ').map(each => {
    const at = each.indexOf('=')
    return { name: each.slice(0, at), value: each.slice(at + 1), url, secure: true }
  })
  return page.context().addCookies(cookies)
}
export { expect }
