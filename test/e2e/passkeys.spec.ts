import type { CDPSession, Page } from '@playwright/test'
import { expect, type Hub, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

/** Passkeys belong to a domain, so that the page is opened at localhost. */
const openAtLocalhost = async ({ gateway, admin }: Hub): Promise<string> => {
  const address = gateway.url.replace('127.0.0.1', 'localhost')
  await admin.setOption('ServerAddress', address)
  return address
}

/** Chromium's own authenticator, without a dialog (WebAuthn domain of the DevTools protocol). */
const addAuthenticator = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

test('a passkey is added, signs in, confirms a change and is deleted', async ({ page, hub }) => {
  const address = await openAtLocalhost(hub)
  const person = await hub.admin.addPerson(1_000_000)
  await dress(page, 'en_US')
  await addAuthenticator(page)

  await page.goto(`${address}/login`)
  await page.getByLabel(t('sign-in.fields.username')).fill(person.username)
  await page.getByRole('textbox', { name: t('sign-in.fields.password') }).fill(person.password)
  await page.getByRole('button', { name: t('menu.login'), exact: true }).click()
  await expect(page).toHaveURL(/\/panel/)

  await page.goto(`${address}/panel/profile`)
  const card = page.getByRole('region', { name: t('passkeys.title') })
  await card.getByRole('button', { name: t('passkeys.add') }).click()
  await card.getByLabel(t('passkeys.name')).fill('Work laptop')
  await card
    .getByRole('textbox', { name: t('profile.fields.current_password') })
    .fill(person.password)
  await card.getByRole('button', { name: t('passkeys.add') }).click()
  await expect(card.getByText('Work laptop')).toBeVisible()
  await looksRight(page)

  const token = page.getByRole('region', { name: t('profile.accessToken.title') })
  await token.getByRole('button', { name: t('profile.proof.byPasskey') }).click()
  await token.getByRole('button', { name: t('profile.accessToken.create') }).click()
  await expect(token.getByText(t('profile.accessToken.once'))).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${address}/login`)
  await looksRight(page)
  await page.getByRole('button', { name: t('sign-in.passkey.action') }).click()
  await expect(page).toHaveURL(/\/panel/)

  await page.goto(`${address}/panel/profile`)
  await card.getByRole('button', { name: t('common.actionsOf', { name: 'Work laptop' }) }).click()
  await page.getByRole('menuitem', { name: t('passkeys.remove') }).click()
  await card.getByRole('button', { name: t('profile.proof.byPasskey') }).click()
  await card.getByRole('button', { name: t('passkeys.remove') }).click()
  await expect(page.getByText(t('passkeys.removed'))).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${address}/login`)
  await page.getByRole('button', { name: t('sign-in.passkey.action') }).click()
  await expect(page.getByRole('alert')).toContainText(t('faults.passkey.refused'))
})
