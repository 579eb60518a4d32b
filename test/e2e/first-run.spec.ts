import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { ask } from '../harness/client.ts'
import { test as base, expect, type Hub, opened, openHub } from './hub.ts'
import { countClicks, dress, looksRight, standsStillFromHere } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')
const model = 'house-model'

/** A compatible server that offers one model, which no shipped list prices. */
const startVendor = async () => {
  const server = createServer((request, response) => {
    const message = { role: 'assistant', content: 'hello' }
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const answer =
      request.method === 'GET'
        ? { object: 'list', data: [{ id: model, object: 'model' }] }
        : { id: 'c', model, choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...answer, created: 1 }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** `fresh` has no token, as an installation after its first start. */
const test = base.extend<{ fresh: Hub; vendor: Awaited<ReturnType<typeof startVendor>> }>({
  fresh: opened(() => openHub({ INITIAL_ROOT_TOKEN: '' })),
  vendor: opened(startVendor),
})

/** A field with suggestions is a combobox, and one for keys has several lines. */
const inputOf = (page: Page, label: string) =>
  page.getByLabel(label).and(page.locator('input, textarea')).first()

/** The page of a person whose browser reaches the site by a name, and the fields that were filled in. */
const visit = async (page: Page, { gateway }: Hub) => {
  await dress(page, 'en_US')
  const clicks = await countClicks(page)
  const origin = `http://hub.lan:${new URL(gateway.url).port}`
  let fields = 0
  const fill = async (label: string, value: string) => {
    fields += 1
    await inputOf(page, label).fill(value)
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  return {
    origin,
    clicks,
    fields: () => fields,
    fill,
    press,
    at: (path: string) => page.goto(origin + path),
  }
}
type Visit = Awaited<ReturnType<typeof visit>>

const signIn = async (page: Page, { fill, press }: Visit, { gateway }: Hub) => {
  await fill(t('sign-in.fields.username'), 'root')
  await fill(t('sign-in.fields.password'), gateway.rootPassword)
  await press(t('menu.login'))
  await expect(page).toHaveURL(/\/panel/)
}

const chooseType = (page: Page, name: RegExp) =>
  page.getByRole('dialog').getByRole('radio', { name }).first().click({ force: true })

const step = (page: Page, key: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: t(key) }) })

const passes = async (page: Page) => {
  const results = page.getByRole('list', { name: t('channel-create.test.results') })
  await expect(results.getByText(/\d ms|\d s/).first()).toBeVisible()
}

/** The key and the model of the command that the page shows. */
const commandOf = async (page: Page) => {
  const curl = page.getByLabel('curl', { exact: true })
  await expect(curl).toContainText(/Bearer sk-[^…]+['"]/)
  const text = await curl.innerText()
  return {
    key: /Bearer (sk-[\w-]+)/.exec(text)?.[1] ?? '',
    model: /"model":"([^"]+)"/.exec(text)?.[1] ?? '',
  }
}

test('a fresh installation answers its first call after 8 clicks and 5 fields, sign-in included', async ({
  page,
  fresh,
}) => {
  const person = await visit(page, fresh)
  const { fill, press, origin } = person
  await person.at('/login')
  await signIn(page, person, fresh)
  await looksRight(page)

  await press(t('dashboard.first.address.use', { address: origin }))
  await press(t('dashboard.first.channel.actions.none'))
  await chooseType(page, /^OpenAI$/)
  await fill(t('channels.fields.base_url'), `${fresh.upstream.url}/a`)
  await fill(t('channels.fields.key'), 'sk-vendor-key')
  await press(t('channel-create.next'))
  await press(t('channel-create.store'))
  await passes(page)
  await press(t('channel-create.enable'))
  await expect(page.getByRole('dialog')).toBeHidden()
  await press(t('dashboard.first.token.actions.create'))
  await expect(page.getByText(t('dashboard.first.call.waiting'))).toBeVisible()
  await standsStillFromHere(page)
  await looksRight(page)

  const { key, model } = await commandOf(page)
  expect((await ask({ url: fresh.gateway.url, key, model })).status).toBe(200)
  await expect(page.getByText(t('dashboard.first.call.arrived'))).toBeVisible()
  expect(person.clicks(), 'clicks').toBeLessThanOrEqual(8)
  expect(person.fields(), 'fields').toBeLessThanOrEqual(5)
  await page.getByRole('link', { name: t('dashboard.first.call.open') }).click()
  await expect(page.getByText(model).first()).toBeVisible()
})

test('a compatible server with one model that has no shipped price takes 8 clicks and 5 fields', async ({
  page,
  fresh,
  vendor,
}) => {
  const person = await visit(page, fresh)
  const { fill, press, origin } = person
  await person.at('/login')
  await signIn(page, person, fresh)
  // The sign-in of every day does not count.
  const before = { clicks: person.clicks(), fields: person.fields() }

  await press(t('dashboard.first.address.use', { address: origin }))
  await press(t('dashboard.first.channel.actions.none'))
  await chooseType(page, /Custom/)
  await fill(t('channels.fields.base_url'), vendor.url)
  await fill(t('channels.fields.key'), 'sk-vendor-key')
  await press(t('channel-create.next'))
  await expect(page.getByText(t('channels.unpriced.title', { count: '1' }))).toBeVisible()
  await looksRight(page)
  await fill(t('prices.fields.input'), '2')
  await fill(t('prices.fields.output'), '4')
  await press(t('channel-create.store'))
  await passes(page)
  await press(t('channel-create.enable'))
  await press(t('dashboard.first.token.actions.create'))

  const { key, model: named } = await commandOf(page)
  expect(named).toBe(model)
  expect((await ask({ url: fresh.gateway.url, key, model })).status).toBe(200)
  await expect(page.getByText(t('dashboard.first.call.arrived'))).toBeVisible()
  expect(person.clicks() - before.clicks, 'clicks').toBeLessThanOrEqual(8)
  expect(person.fields() - before.fields, 'fields').toBeLessThanOrEqual(5)
  // 10 tokens in at $2 a million, 5 out at $4.
  await expect(page.getByLabel('20 points', { exact: true }).first()).toHaveText('$0.00004')
  await page.getByRole('link', { name: t('dashboard.first.call.open') }).click()
  await expect(page.getByText(model).first()).toBeVisible()
})

test('a person who leaves at any step continues there, also in another browser', async ({
  page,
  browser,
  fresh,
  vendor,
}) => {
  const person = await visit(page, fresh)
  const { fill, press, origin } = person
  const isNext = (where: Page, key: string) =>
    expect(step(where, key)).toHaveAttribute('aria-current', 'step')
  const leaveAndReturn = async () => {
    await person.at('/panel/log')
    await person.at('/panel')
  }
  await person.at('/login')
  await signIn(page, person, fresh)

  await leaveAndReturn()
  await isNext(page, 'dashboard.first.address.title')
  await press(t('dashboard.first.address.use', { address: origin }))
  await isNext(page, 'dashboard.first.channel.title')

  await press(t('dashboard.first.channel.actions.none'))
  await chooseType(page, /Custom/)
  await fill(t('channels.fields.base_url'), vendor.url)
  await leaveAndReturn()
  await press(t('dashboard.first.channel.actions.none'))
  await expect(inputOf(page, t('channels.fields.base_url'))).toHaveValue(vendor.url)
  await fill(t('channels.fields.key'), 'sk-vendor-key')
  await press(t('channel-create.next'))
  await fill(t('prices.fields.input'), '2')
  await fill(t('prices.fields.output'), '4')
  // A field is in the draft as soon as it was typed.
  await leaveAndReturn()
  await press(t('dashboard.first.channel.actions.none'))
  await expect(page.getByText(t('channels.unpriced.decided', { count: '1' }))).toBeVisible()
  // Keys are in no draft: the form leads back to it.
  await press(t('channel-create.store'))
  await fill(t('channels.fields.key'), 'sk-vendor-key')
  await press(t('channel-create.next'))
  await press(t('channel-create.store'))
  await passes(page)

  // Another browser has no draft, and the channel is stored and disabled.
  const context = await browser.newContext()
  const other = await context.newPage()
  const elsewhere = await visit(other, fresh)
  await elsewhere.at('/login')
  await signIn(other, elsewhere, fresh)
  await isNext(other, 'dashboard.first.channel.title')
  await elsewhere.press(t('dashboard.first.channel.actions.disabled'))
  await passes(other)
  await elsewhere.press(t('channel-create.enable'))
  await isNext(other, 'dashboard.first.token.title')
  await context.close()

  await leaveAndReturn()
  await isNext(page, 'dashboard.first.token.title')
  await press(t('dashboard.first.token.actions.create'))
  const { key } = await commandOf(page)
  await leaveAndReturn()
  await isNext(page, 'dashboard.first.call.step')
  expect((await ask({ url: fresh.gateway.url, key, model: 'no-such-model' })).status).toBe(404)
  await expect(
    step(page, 'dashboard.first.call.step').getByRole('link', {
      name: t('dashboard.first.call.actions.failed'),
    }),
  ).toBeVisible()
  expect((await ask({ url: fresh.gateway.url, key, model })).status).toBe(200)
  await expect(page.getByText(t('dashboard.first.call.arrived'))).toBeVisible()
  await leaveAndReturn()
  await expect(page.getByText(t('dashboard.first.title'), { exact: true })).toHaveCount(0)
})
