import { startTurnstileService } from '../../apps/server/test/sign-in/turnstile-service.ts'
import { administer } from '../harness/admin.ts'
import { startGateway } from '../harness/gateway.ts'
import { expect, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

/** Replaces Cloudflare's script: a widget solves itself a moment after it was rendered, unless it is held back. */
const script = `window.turnstile = {
  render: (element, { action, callback }) => { window.solve(action).then(callback); return 'id' },
  remove: () => undefined,
}`

test('the bot check guards the sign-in, and its script is loaded only while it is on', async ({
  page,
}) => {
  const service = await startTurnstileService('secret')
  const gateway = await startGateway({
    env: { TRUSTED_PROXIES: '', TURNSTILE_ADDRESS: service.address },
  })
  const admin = administer(gateway)
  const { username, password } = await admin.addPerson(1_000)
  const loaded: string[] = []
  const { promise: isSolved, resolve: solve } = Promise.withResolvers<void>()
  await page.route('https://challenges.cloudflare.com/**', route => {
    loaded.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: script })
  })
  await page.exposeFunction('solve', async (action: string) => {
    await isSolved
    return service.solve(action, new URL(gateway.url).hostname)
  })
  await dress(page, 'en_US')
  await page.goto(`${gateway.url}/login`)
  await expect(page.getByRole('button', { name: t('menu.login'), exact: true })).toBeVisible()
  expect(loaded).toEqual([])

  await admin.setOption('ServerAddress', gateway.url)
  await admin.setOption('TurnstileSiteKey', 'site-key')
  await admin.setOption('TurnstileSecretKey', 'secret')
  await admin.setOption('TurnstileCheckEnabled', 'true')
  await page.goto(`${gateway.url}/login`)
  await page.getByLabel(t('sign-in.fields.username')).fill(username)
  await page.getByRole('textbox', { name: t('sign-in.fields.password') }).fill(password)
  const submit = page.getByRole('button', { name: t('menu.login'), exact: true })
  await submit.click()
  await expect(page.getByRole('alert')).toContainText(t('faults.turnstile.missing'))
  await looksRight(page)
  expect(loaded).toHaveLength(1)
  solve()
  await expect(async () => {
    await submit.click()
    await expect(page).toHaveURL(/\/panel/, { timeout: 5_000 })
  }).toPass()
  service.close()
  await gateway.close()
})
