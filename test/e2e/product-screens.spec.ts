import type { Page } from '@playwright/test'
import { expect, test } from './hub.ts'
import { changeData, menuOf, navigate, open, openAs, openSignedIn, t } from './product.ts'

// One case or step for each line of the specification's section 2 that no other file proves (`PRODUCT.md`).

const notFound = t('status.notFound.title')
const title = (page: Page) => page.getByRole('heading', { level: 1 }).first()
const scrollY = (page: Page) => page.evaluate<number>('scrollY')

test('2 every change of the route scrolls to the top', async ({ page, seeded }) => {
  await openSignedIn(page, seeded, '/')
  await title(page).waitFor()
  await page.setViewportSize({ width: 1440, height: 400 })
  const leave = async (name: string, to: RegExp) => {
    await expect(title(page)).toBeVisible()
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.body.style.minHeight = "3000px"; scrollTo(0, 500)')
    expect(await scrollY(page)).toBe(500)
    await page.getByRole('link', { name, exact: true }).first().click()
    await expect(page).toHaveURL(to)
    await expect.poll(() => scrollY(page)).toBe(0)
  }
  await leave(t('menu.about'), /\/about$/)
  await leave(t('menu.console'), /\/panel$/)
  await leave(t('menu.token'), /\/panel\/token$/)
})

test('2 the top bar of the public pages has its links, and the button of visitors or users', async ({
  page,
  seeded,
}) => {
  const bar = page.locator('header')
  const links = async () => (await bar.getByRole('link').allInnerTexts()).map(each => each.trim())
  const shown = (...ids: string[]) => ids.map(id => t(`menu.${id}`))
  await test.step('2 a visitor has a login button and no playground', async () => {
    await open(page, seeded, '/')
    await expect(bar.getByRole('link', { name: t('menu.login') })).toBeVisible()
    expect((await links()).slice(1)).toEqual(shown('home', 'price', 'about', 'login'))
    await expect(page.locator('footer')).toBeVisible()
  })
  await test.step('2 a user has a console button and the playground', async () => {
    await openSignedIn(page, seeded, '/')
    await expect(bar.getByRole('link', { name: t('menu.console') })).toBeVisible()
    expect((await links()).slice(1)).toEqual(
      shown('home', 'playground', 'price', 'about', 'console'),
    )
  })
  await test.step('2 the header has logo, notice, theme and language, and no avatar here', async () => {
    await expect(bar.locator('a[href="/"]').first()).toContainText('One Hub')
    for (const key of ['notice.title', 'common.toggleTheme', 'common.language'])
      await expect(bar.getByRole('button', { name: t(key) })).toBeVisible()
    await expect(bar.getByRole('button', { name: t('menu.account') })).toHaveCount(0)
  })
})

test('2 each public route has its page', async ({ page, seeded }) => {
  await page.route('**/api/oauth/*?code=*', () => undefined)
  await open(page, seeded, '/')
  const site = { name: 'One Hub' }
  for (const [path, text] of [
    ['/', t('status.hero.title', site)],
    ['/about', t('menu.about')],
    ['/login', t('sign-in.title', site)],
    ['/register', t('sign-in.register.title', site)],
    ['/reset', t('sign-in.reset.title')],
    ['/user/reset', t('sign-in.reset.choose')],
    ['/price', t('models.publicTitle')],
    ['/404', notFound],
    ['/jump', t('status.jump.refused')],
    ['/playground', t('sign-in.title', site)],
    ...['github', 'oidc', 'lark'].map(each => [`/oauth/${each}?code=c&state=s`, t('oauth.title')]),
  ] as [string, string][])
    await test.step(`2 ${path}`, async () => {
      await navigate(page, path)
      await expect(title(page)).toHaveText(text)
    })
})

test('2 each console route has its page and its breadcrumbs', async ({ page, seeded }) => {
  await openSignedIn(page, seeded, '/panel/404')
  await expect(title(page)).toHaveText(notFound)
  const crumbs = page.getByRole('navigation', { name: t('common.breadcrumbs') })
  const trail = crumbs.locator('li:not([aria-hidden])')
  const home = t('menu.dashboard')
  for (const [section, ...items] of [
    ['dashboardGroup', 'analytics', 'margin', 'playground'],
    ['settingGroup', 'user', 'channel', 'setting'],
    ['operation', 'user_group', 'pricing', 'telegram', 'model_ownedby'],
    ['paySetting', 'redemption', 'payment'],
    ['account', 'token', 'profile'],
    ['billingGroup', 'topup', 'model_price'],
    ['usageGroup', 'log', 'invoice', 'invoice/detail/2026-01-01', 'midjourney', 'task'],
  ] as [string, ...string[]][])
    for (const item of items)
      await test.step(`2 /panel/${item}`, async () => {
        await navigate(page, `/panel/${item}`)
        const name = t(`menu.${item.split('/')[0]}`)
        await expect(trail).toHaveText([home, t(`menu.${section}`), name])
        await expect(title(page)).not.toHaveText(notFound)
      })
  await crumbs.getByRole('link', { name: home }).click()
  for (const path of ['/panel', '/panel/dashboard'])
    await test.step(`2 ${path}`, async () => {
      await navigate(page, path)
      await expect(menuOf(page).locator('[aria-current=page]')).toHaveText(home)
      await expect(crumbs).toHaveCount(0)
    })
})

test('2 the footer has the text of the site, or else name, version, developer, source and license', async ({
  page,
  seeded,
}) => {
  const footer = page.locator('footer')
  await test.step('2 without a text of the site', async () => {
    await open(page, seeded, '/about')
    await expect(footer).toContainText(/One Hub \d+\.\d+\.\d+\S* · /)
    await expect(footer).toContainText(
      `${t('footer.developedBy')} · ${t('footer.basedOn')} One Hub`,
    )
    await expect(footer.getByRole('link', { name: 'One Hub' })).toHaveAttribute(
      'href',
      /^https:\/\/github\.com\//,
    )
    await expect(footer.getByRole('link', { name: 'Apache-2.0' })).toHaveAttribute(
      'href',
      /LICENSE-2\.0$/,
    )
  })
  await test.step('2 with a text of the site', async () => {
    await changeData(page, '**/api/status', data => ({ ...data, footer_html: '<b>自有页脚</b>' }))
    await page.reload()
    await expect(footer.locator('b')).toHaveText('自有页脚')
    await expect(footer).not.toContainText(t('footer.basedOn'))
  })
})

test('2 the sidebar has the entries of the specification in its order', async ({ page, hub }) => {
  await openSignedIn(page, hub, '/panel/log')
  const listed = async (group: string, ids: string[]) => {
    const names = ids.map(id => t(`menu.${id}`))
    const list = menuOf(page).locator(`ul[aria-labelledby="menu-${group}"]`)
    await expect(list.last()).toBeVisible()
    const texts = await list.locator('a, [role=button]').allInnerTexts()
    expect(texts.map(each => each.trim()).filter(each => names.includes(each))).toEqual(names)
  }
  const operation = menuOf(page).getByRole('button', { name: t('menu.operation') })
  const payments = menuOf(page).getByRole('button', { name: t('menu.paySetting') })
  await test.step('2 without invoices of the site the menu has none', async () => {
    const entry = (id: string) =>
      menuOf(page).getByRole('link', { name: t(`menu.${id}`), exact: true })
    await expect(entry('log')).toBeVisible()
    await expect(entry('invoice')).toHaveCount(0)
  })
  await test.step('2 a collapse opens on a click, and closes on the next', async () => {
    for (const isOpen of ['false', 'true', 'false']) {
      await expect(payments).toHaveAttribute('aria-expanded', isOpen)
      await payments.click()
    }
  })
  await test.step('2 a collapse opens where the path is that of a child', async () => {
    await changeData(page, '**/api/status', data => ({ ...data, UserInvoiceMonth: true }))
    await page.reload()
    await expect(operation).toHaveAttribute('aria-expanded', 'false')
    await navigate(page, '/panel/pricing')
    await expect(operation).toHaveAttribute('aria-expanded', 'true')
    await payments.click()
  })
  for (const [group, ...ids] of [
    ['dashboardGroup', 'dashboard', 'analytics', 'margin', 'playground'],
    [
      ...['settingGroup', 'user', 'channel', 'operation', 'user_group', 'pricing', 'telegram'],
      ...['model_ownedby', 'paySetting', 'redemption', 'payment', 'token', 'profile', 'setting'],
    ],
    ['billingGroup', 'topup', 'model_price'],
    ['usageGroup', 'log', 'invoice', 'midjourney', 'task'],
  ] as [string, ...string[]][])
    await test.step(`2 the entries of ${group}`, () => listed(group, ids))
})

test('2 an administrator who is not root has the Telegram entry too', async ({ page, seeded }) => {
  const admin = await seeded.admin.addPerson(0, {}, { role: 10 })
  await openAs(page, seeded, admin, '/panel/user_group')
  for (const item of ['user_group', 'pricing', 'telegram', 'model_ownedby', 'setting', 'analytics'])
    await expect(menuOf(page).getByRole('link', { name: t(`menu.${item}`) })).toBeVisible()
})

test('2 the sidebar is permanent on wide screens and a drawer on small ones, 260 pixels wide', async ({
  page,
  seeded,
}) => {
  await openSignedIn(page, seeded, '/panel/token')
  const toggle = page.getByRole('button', { name: t('menu.toggle') })
  const widthOf = async (path: string) =>
    (await page.locator('#menu').locator(path).boundingBox())?.width
  await test.step('2 wide: beside the page, and the toggle collapses it', async () => {
    await expect(page.locator('#menu')).toBeVisible()
    expect(await widthOf('xpath=../..')).toBe(260)
    await toggle.click()
    await expect(page.locator('#menu')).toBeHidden()
  })
  await test.step('2 small: above the page, until it is closed', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.locator('#menu')).toHaveCount(0)
    await toggle.click()
    await expect(page.locator('#menu')).toBeVisible()
    expect(await widthOf('xpath=..')).toBe(260)
    await page.keyboard.press('Escape')
    await expect(page.locator('#menu')).toHaveCount(0)
  })
})

test('2 an avatar stands in the header below /panel, and is the picture of the user', async ({
  page,
  seeded,
}) => {
  const picture = `${seeded.gateway.url}/favicon.svg`
  const avatar = page.locator('header').getByRole('button', { name: t('menu.account') })
  await openSignedIn(page, seeded, '/panel/token')
  const image = avatar.locator('img')
  const isDefault = async () => {
    await expect(image).toHaveAttribute('src', /^data:image\/svg/)
    await expect(image).not.toHaveJSProperty('naturalWidth', 0)
  }
  await test.step('2 without a picture it shows the default image', isDefault)
  await test.step('2 with one it shows that', async () => {
    await changeData(page, '**/api/user/session', data => ({ ...data, avatar_url: picture }))
    await page.reload()
    await expect(image).toHaveAttribute('src', picture)
  })
  await test.step('2 a picture that does not load gives way to the default image', async () => {
    await page.route(picture, route => route.abort())
    await page.reload()
    await isDefault()
  })
  await test.step('2 the logo links to the home page', async () => {
    await page.locator('header a[href="/"]').first().click()
    await expect(page).toHaveURL(`${seeded.gateway.url}/`)
    await expect(avatar).toHaveCount(0)
  })
})

test('2 the screens have the contents that the specification names', async ({ page, seeded }) => {
  const github = { type: 'github', name: 'GitHub', label: '', bound: false }
  await page.route('**/api/oauth/identities', route =>
    route.fulfill({ json: { success: true, message: '', data: [github] } }),
  )
  await openSignedIn(page, seeded, '/panel/dashboard?view=mine')
  const main = page.locator('main')
  for (const [path, ...keys] of [
    ['dashboard?view=mine', 'dashboard.quickStart', 'dashboard.spent', 'dashboard.requests'],
    ['dashboard?view=mine', 'dashboard.tokens', 'dashboard.chart.question'],
    ['topup', 'profile.topUp.code', 'profile.invite.title'],
    ['pricing', 'prices.tabs.single', 'prices.tabs.multiple', 'prices.sync.open'],
    ['profile', 'oauth.identities', 'profile.accessToken.title'],
    ['setting', 'settings.tabs.operation', 'settings.tabs.other', 'settings.tabs.system'],
  ] as [string, ...string[]][])
    await test.step(`2 contents of ${path}: ${keys.join(', ')}`, async () => {
      if (new URL(page.url()).pathname !== `/panel/${path.split('?')[0]}`)
        await navigate(page, `/panel/${path}`)
      for (const key of keys)
        await expect(main.getByText(t(key), { exact: true }).first()).toBeVisible()
    })
})
