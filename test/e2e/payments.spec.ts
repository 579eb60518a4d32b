import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page, Route } from '@playwright/test'
import { isInstalled } from '../../scripts/lib/testing/suites.mjs'
import { callApi, type Person } from '../harness/admin.ts'
import { ask } from '../harness/client.ts'
import type { FakeVendor, Placed, SentNotice } from '../harness/payments/fake-vendor.ts'
import { fakeVendors } from '../harness/payments/index.ts'
import { expect, type Hub, openHub, signIn, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { type Language, words } from './words.ts'

type Look = { colorScheme: 'light' | 'dark'; width: 1440 | 390; language: Language }
type Account = { name: string; uuid: string; vendor: FakeVendor }

/** Each gateway pays in one look, so that all of them are seen without the full product. */
const looks: [Look, string[]][] = [
  [{ colorScheme: 'light', width: 1440, language: 'en_US' }, ['Alipay by QR code', 'Stripe']],
  [
    { colorScheme: 'dark', width: 390, language: 'zh_CN' },
    ['WeChat Pay by public key', 'Epay by GET'],
  ],
  [{ colorScheme: 'light', width: 390, language: 'en_US' }, ['Epay by POST', 'BEpusdt']],
  [
    { colorScheme: 'dark', width: 1440, language: 'zh_CN' },
    ['Alipay by page', 'WeChat Pay by certificate'],
  ],
]
const dollars = 20
const perDollar = 500_000
const displayName = '王小明 山田さん Zoë'
const clockFile = 'clock'

const openLook = async (browser: Browser, { colorScheme, width, language }: Look) => {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: width === 390 ? 844 : 900 },
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await dress(page, language)
  return page
}

/** The session of the first sign-in is over at the end of the month. */
const signInByPassword = async (page: Page, { gateway }: Hub, { username, password }: Person) => {
  const response = await page.request.post(`${gateway.url}/api/user/login`, {
    data: { username, password },
    headers: { origin: gateway.url },
  })
  expect(response.ok()).toBe(true)
}

const addAccount = async ({ admin, gateway }: Hub, name: string): Promise<Account> => {
  const vendor = await fakeVendors[name]!()
  const { type, currency, config } = vendor
  const icon = `${gateway.url}/favicon.svg`
  const fields = { type, name, icon, currency, percent_fee: 0.05, config }
  const { uuid } = await admin.api<{ uuid: string }>('POST', '/api/payment/', fields)
  return { name, uuid, vendor }
}

const send = async ({ gateway }: Hub, { uuid, vendor }: Account, notice: SentNotice) => {
  const { method, query, headers, body } = notice
  const url = `${gateway.url}/api/payment/notify/${uuid}${query && `?${query}`}`
  const response = await fetch(url, { method, headers, ...(body && { body }) })
  expect(vendor.isAcknowledged(response.status, await response.text())).toBe(true)
}
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The page to which the payment page returns follows the order, also after a reload. */
const followAfterReturn = async (
  page: Page,
  { vendor }: Account,
  tradeNo: string,
  t: ReturnType<typeof words>,
) => {
  // Alipay and Epay add their own numbers to the address.
  const added = ['alipay', 'epay'].includes(vendor.type)
  const numbers = added ? `&trade_no=20261125&out_trade_no=${tradeNo}` : ''
  await page.goto(new URL(`/panel/topup?trade_no=${tradeNo}${numbers}`, page.url()).href)
  const payment = page.getByRole('region', { name: t('topup.dialog.title') })
  await expect(payment.getByText(t('topup.dialog.waiting'))).toBeVisible()
  await page.reload()
  await expect(payment.getByText(t('topup.dialog.waiting'))).toBeVisible()
  await looksRight(page)
}

/** Vendors take a second to make an order. A dialog that moves so long after the click would be a layout shift. */
const answerLate = async (route: Route) => {
  await setTimeout(800)
  await route.continue()
}

/** Pays in the browser, from the choice of the gateway to the balance. Returns the trade number. */
const topUp = async (page: Page, hub: Hub, account: Account, language: Language) => {
  const t = words(language)
  const { vendor, name } = account
  await page.goto(`${hub.gateway.url}/panel/topup`)
  await page.getByRole('radio', { name, exact: true }).click()
  await page.getByLabel(t('topup.amount')).fill(String(dollars))
  await page.getByRole('button', { name: t('topup.pay'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('topup.dialog.title') })
  const number = dialog.getByText(t('topup.dialog.number'))
  await expect(number).toBeVisible()
  const tradeNo = /[a-z]{2,3}[a-z2-7]{26}/.exec(await number.innerText())![0]
  const isQr = name.startsWith('WeChat') || name === 'Alipay by QR code'
  if (isQr) await expect(dialog.getByRole('img', { name: t('topup.dialog.qrCode') })).toBeVisible()
  else {
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('link', { name: t('topup.dialog.openPage') }).click()
    const popup = await opened
    // The page is shown only to a request that the vendor has verified.
    await expect(popup.getByRole('heading', { name: 'Cashier' })).toBeVisible()
    await popup.close()
  }
  if (isQr) await looksRight(page)
  else await followAfterReturn(page, account, tradeNo, t)
  vendor.pay(tradeNo)
  await send(hub, account, vendor.paidNotice(tradeNo, nowSeconds()))
  const credited = t('topup.states.credited', { amount: `$${dollars}.00` })
  if (isQr) {
    await expect(dialog.getByText(credited)).toBeVisible()
    await dialog.getByRole('button', { name: t('common.close') }).click()
  }
  const payment = page.getByRole('region', { name: t('topup.dialog.title') })
  await expect(payment.getByText(credited)).toBeVisible()
  await page.reload()
  await expect(payment.getByText(credited)).toBeVisible()
  await expect(page.getByText(t('topup.status.credited')).first()).toBeVisible()
  return tradeNo
}

const orderOf = async ({ admin }: Hub, tradeNo: string) => {
  const path = `/api/payment/order?trade_no=${tradeNo}`
  const { data } = await admin.api<{ data: { id: number; status: string }[] }>('GET', path)
  return data[0]!
}

/** An order whose notice states another sum is credited by an administrator. */
const creditByHand = async (browser: Browser, hub: Hub, account: Account, person: Person) => {
  const [look] = looks[3]!
  const t = words(look.language)
  const { vendor, uuid } = account
  const session = { cookie: person.cookie }
  const order = { uuid, amount: dollars }
  const placed = await callApi<Placed>(hub.gateway, session, 'POST', '/api/user/order', order)
  const tradeNo = placed.data.trade_no
  await vendor.open(placed.data)
  vendor.pay(tradeNo)
  await send(hub, account, vendor.paidNotice(tradeNo, nowSeconds(), { amount: 1 }))
  expect((await orderOf(hub, tradeNo)).status).toBe('review')

  const page = await openLook(browser, look)
  await signIn(page, hub)
  await page.goto(`${hub.gateway.url}/panel/payment#order`)
  await page.getByRole('row').filter({ hasText: tradeNo }).getByText(person.username).click()
  await expect(page.getByText(t('orders.review.amount'))).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('orders.review.amount'))).toBeVisible()
  await looksRight(page)
  await page.getByRole('button', { name: t('orders.credit') }).click()
  const form = page.getByRole('dialog', { name: t('orders.credit') })
  await form.getByLabel(t('orders.fields.remark')).fill('银行账户已到账')
  await form.getByRole('button', { name: t('orders.credit') }).click()
  await expect(page.getByText(t('orders.credited'), { exact: true }).first()).toBeVisible()
  expect((await orderOf(hub, tradeNo)).status).toBe('credited')
  await page.context().close()
}

/** The vendor returns the money, and the order page shows it on a phone. */
const refund = async (browser: Browser, hub: Hub, { vendor }: Account, tradeNo: string) => {
  const [look] = looks[2]!
  const t = words(look.language)
  const page = await openLook(browser, look)
  await signIn(page, hub)
  const { id } = await orderOf(hub, tradeNo)
  await page.goto(`${hub.gateway.url}/panel/payment?open=${id}#order`)
  await page.getByRole('button', { name: t('orders.refund'), exact: true }).click()
  const form = page.getByRole('dialog', { name: t('orders.refund') })
  await form.getByRole('button', { name: t('orders.refund'), exact: true }).click()
  await expect(page.getByText(t('orders.status.refunded'), { exact: true }).first()).toBeVisible()
  await looksRight(page)
  const { paid, refunded } = vendor.orders.get(tradeNo)!
  expect([refunded, refunded > 0]).toEqual([paid, true])
  await page.context().close()
}

/** Paper is white in both themes, and has nothing but the invoice. */
const printsRight = async (page: Page) => {
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('#invoice')
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  for (const text of await sheet.locator('p, dd, td').all())
    await expect(text).toHaveCSS('color', 'rgb(0, 0, 0)')
  const others = await page
    .locator('body *:not(#invoice, #invoice *)')
    .evaluateAll(elements =>
      elements.filter(each => each.checkVisibility({ visibilityProperty: true })).map(String),
    )
  expect(others).toEqual([])
  await page.emulateMedia({ media: 'screen' })
}

const languages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const

/** The month ends, and the user opens and stores the invoice. */
const invoice = async (browser: Browser, hub: Hub, person: Person) => {
  writeFileSync(join(hub.gateway.dataDir, clockFile), String(40 * 86_400_000))
  const month = new Date().toISOString().slice(0, 7)
  const made = () => callApi(hub.gateway, { bearer: hub.gateway.accessToken }, 'POST', path, {})
  const path = `/api/option/invoice/gen/${month}-01`
  await expect.poll(async () => (await made()).status).toBe(200)
  const { amount } = (
    await hub.admin.api<{ data: { user_id: number; amount: number }[] }>('GET', '/api/invoice/')
  ).data.find(each => each.user_id === person.id)!
  const sum = `$${amount.toFixed(6)}`
  for (const [look] of looks.slice(0, 2)) {
    const t = words(look.language)
    const page = await openLook(browser, look)
    await signInByPassword(page, hub, person)
    await page.goto(`${hub.gateway.url}/panel/invoice`)
    await page.getByRole('link', { name: t('invoices.view') }).click()
    const sheet = page.locator('#invoice')
    await expect(sheet.getByText(displayName)).toBeVisible()
    await expect(sheet.getByText(sum).first()).toBeVisible()
    await looksRight(page)
    await printsRight(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'PDF' }).click()
    const file = await (await downloading).path()
    if (readsPdfs) expect(textOf(file)).toContain(displayName)
    if (readsPdfs && look.width === 390)
      for (const language of languages) {
        const address = `${hub.gateway.url}/api/user/invoice/file?date=${month}-01&format=pdf&language=${language}`
        const pdf = join(hub.gateway.dataDir, `${language}.pdf`)
        writeFileSync(pdf, await (await page.request.get(address)).body())
        const text = textOf(pdf)
        for (const expected of [displayName, sum]) expect(text).toContain(expected)
        expect(text).not.toContain('〓')
      }
    await page.context().close()
  }
}

/** The test command says that invoices are not read where this program is missing. */
const pdfReader = 'pdftotext'
const readsPdfs = isInstalled(pdfReader)
const textOf = (file: string): string =>
  execFileSync(pdfReader, ['-layout', file, '-'], { encoding: 'utf8' })

test('each gateway is paid in the browser, an order in review is credited by hand, one is returned, and the invoice is stored', async ({
  browser,
}) => {
  const hub = await openHub({ CLOCK_OFFSET_FILE: clockFile })
  const { admin, gateway, upstream } = hub
  await admin.setOption('ServerAddress', gateway.url)
  await admin.setOption('LocalTrialEnabled', 'true')
  await admin.setOption('UserInvoiceMonth', 'true')
  await admin.addChannel(`${upstream.url}/a`, { models: 'gpt-4o-mini' })
  await admin.setPrice('gpt-4o-mini', 'tokens', 0.075, 0.3)
  const accounts = new Map<string, Account>()
  for (const name of Object.keys(fakeVendors)) accounts.set(name, await addAccount(hub, name))
  const person = await admin.addPerson(perDollar, {}, { display_name: displayName })
  await ask({ url: gateway.url, key: person.key, model: 'gpt-4o-mini' })
  const { quota: before } = await admin.user(person.id)

  const paid = new Map<string, string>()
  await Promise.all(
    looks.map(async ([look, names]) => {
      const page = await openLook(browser, look)
      await signInByPassword(page, hub, person)
      await page.route('**/api/user/order', answerLate)
      for (const name of names)
        paid.set(name, await topUp(page, hub, accounts.get(name)!, look.language))
      await page.context().close()
    }),
  )
  const balance = async () => (await admin.user(person.id)).quota
  expect(await balance()).toBe(before + accounts.size * dollars * perDollar)

  await creditByHand(browser, hub, accounts.get('Alipay by QR code')!, person)
  expect(await balance()).toBe(before + (accounts.size + 1) * dollars * perDollar)
  await refund(browser, hub, accounts.get('Stripe')!, paid.get('Stripe')!)
  expect(await balance()).toBe(before + accounts.size * dollars * perDollar)
  await invoice(browser, hub, person)

  await hub.close()
  for (const { vendor } of accounts.values()) await vendor.close()
})
