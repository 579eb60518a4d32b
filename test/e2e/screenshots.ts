import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { ask } from '../harness/client.ts'
import { root } from '../harness/paths.ts'
import { dress, type Hub, openHub, signIn } from './hub.ts'
import { words } from './words.ts'

/** The pictures of the documents, from seeded data: the same pages, sizes and themes every time. */
const folder = join(root, 'docs/images')
const t = words('en_US')
const prices = { 'gpt-4.1': [1, 4], 'gpt-4o-mini': [0.075, 0.3], 'deepseek-chat': [0.14, 0.21] }
const models = Object.keys(prices)

/** A team after a busy morning. */
const fill = async ({ gateway, upstream, admin }: Hub): Promise<void> => {
  const channel = (at: 'a' | 'b' | 'c', name: string, type: number, more: object) =>
    admin.addChannel(`${upstream.url}/${at}`, { name, type, weight: 1, ...more })
  await channel('a', 'OpenAI, main account', 1, {
    models: 'gpt-4.1,gpt-4o-mini',
    test_model: 'gpt-4o-mini',
    priority: 10,
    weight: 3,
    tag: 'team',
  })
  await channel('b', 'OpenAI, spare account', 1, { models: 'gpt-4.1,gpt-4o-mini' })
  await channel('c', 'DeepSeek', 28, { models: 'deepseek-chat', priority: 10 })
  for (const [model, [input, output]] of Object.entries(prices))
    await admin.setPrice(model, 'tokens', input ?? 0, output)
  const people = []
  for (const [display_name, username] of [
    ['Ada', 'ada'],
    ['Lin', 'lin'],
  ])
    people.push(
      await admin.addPerson(25_000_000, { name: `${username}'s laptop` }, { display_name }),
    )
  const keys = [gateway.rootKey, ...people.map(each => each.key)]
  for (let at = 0; at < 36; at += 1) {
    for (const each of ['a', 'b', 'c'])
      upstream.behave(each, `in=${900 + ((at * 577) % 2600)};out=${40 + ((at * 37) % 90)};every=4`)
    await ask({
      url: gateway.url,
      key: keys[at % 5 === 4 ? 1 : at % 7 === 6 ? 2 : 0] ?? gateway.rootKey,
      model: models[at % 3] ?? 'gpt-4.1',
      stream: at % 4 > 0,
    })
  }
  for (const channelId of [1, 3]) await admin.api('POST', `/api/channel/test/${channelId}`, {})
}

const openBreakdown = async (page: Page) => {
  await page.locator('main tbody tr').nth(1).click()
  await page.getByText(t('logs.steps.rounding')).scrollIntoViewIfNeeded()
}
const talk = async (page: Page) => {
  await page.getByLabel(t('playground.message')).fill('Say something.')
  await page.keyboard.press('Enter')
  await page.locator('article').getByText('$0.').first().waitFor()
}

type Picture = {
  name: string
  path: string
  theme: 'light' | 'dark'
  width: 1440 | 390
  act?: (page: Page) => Promise<unknown>
}
const pictures: Picture[] = [
  { name: 'dashboard-light', path: 'dashboard', theme: 'light', width: 1440 },
  { name: 'dashboard-dark', path: 'dashboard', theme: 'dark', width: 1440 },
  { name: 'channels', path: 'channel', theme: 'light', width: 1440 },
  { name: 'log-breakdown', path: 'log', theme: 'light', width: 1440, act: openBreakdown },
  { name: 'playground', path: 'playground', theme: 'dark', width: 1440, act: talk },
  { name: 'phone', path: 'dashboard', theme: 'dark', width: 390 },
]

mkdirSync(folder, { recursive: true })
const hub = await openHub()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--font-render-hinting=none'],
})
try {
  await fill(hub)
  hub.upstream.behave('a', '')
  for (const { name, path, theme, width, act } of pictures) {
    const page = await browser.newPage({
      colorScheme: theme,
      viewport: { width, height: width === 1440 ? 900 : 844 },
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    await dress(page, 'en_US')
    // The typeface is there from the second visit.
    await page.addInitScript("localStorage.setItem('font', '/fonts/inter-4.1-latin.woff2')")
    await signIn(page, hub)
    await page.goto(`${hub.gateway.url}/panel/${path}`)
    await page.waitForLoadState('networkidle')
    // The chart comes in a chunk of its own.
    if (path === 'dashboard')
      await page.locator('main svg rect:not([height="0"])').first().waitFor()
    await act?.(page)
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(`docs/images/${name}.png`)
    await page.close()
  }
} finally {
  await browser.close()
  await hub.close()
}
