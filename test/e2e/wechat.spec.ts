import { startFakeWeChat } from '../harness/sign-in/fake-wechat.ts'
import { expect, test } from './hub.ts'
import { dress, looksRight } from './page-checks.ts'
import { words } from './words.ts'

const t = words('en_US')

test('a code of the official account signs in, and is bound and removed in the profile', async ({
  page,
  hub,
}) => {
  const { gateway, admin } = hub
  const helper = await startFakeWeChat('helper-token')
  await admin.setOption('WeChatServerAddress', helper.url)
  await admin.setOption('WeChatServerToken', 'helper-token')
  await admin.setOption('WeChatAccountQRCodeImageURL', `${gateway.url}/favicon.svg`)
  await admin.setOption('WeChatAuthEnabled', 'true')
  const person = await admin.addPerson(1_000)
  helper.codes.set('111111', 'o-ann').set('222222', 'o-ann')
  await dress(page, 'en_US')

  await page.goto(`${gateway.url}/login`)
  await page.getByLabel(t('sign-in.fields.username')).fill(person.username)
  await page.getByRole('textbox', { name: t('sign-in.fields.password') }).fill(person.password)
  await page.getByRole('button', { name: t('menu.login'), exact: true }).click()
  await expect(page).toHaveURL(/\/panel/)
  await page.goto(`${gateway.url}/panel/profile`)
  const card = page.getByRole('region', { name: t('wechat.title') })
  await card.getByRole('button', { name: t('wechat.bind') }).click()
  await card.getByLabel(t('wechat.code')).fill('111111')
  await card
    .getByRole('textbox', { name: t('profile.fields.current_password') })
    .fill(person.password)
  await card.getByRole('button', { name: t('wechat.bind') }).click()
  await expect(card.getByText(t('wechat.bound'))).toBeVisible()

  await page.context().clearCookies()
  await page.goto(`${gateway.url}/login`)
  await page.getByRole('button', { name: t('sign-in.wechat.action') }).click()
  const dialog = page.getByRole('dialog', { name: t('sign-in.wechat.action') })
  await dialog.getByLabel(t('wechat.code')).fill('999999')
  await dialog.getByRole('button', { name: t('menu.login') }).click()
  await expect(dialog.getByRole('alert')).toContainText(t('faults.wechat.code_wrong'))
  await looksRight(page)
  await dialog.getByLabel(t('wechat.code')).fill('222222')
  await dialog.getByRole('button', { name: t('menu.login') }).click()
  await expect(page).toHaveURL(/\/panel/)

  await page.goto(`${gateway.url}/panel/profile`)
  await card.getByRole('button', { name: t('wechat.unbind') }).click()
  await card
    .getByRole('textbox', { name: t('profile.fields.current_password') })
    .fill(person.password)
  await card.getByRole('button', { name: t('wechat.unbind') }).click()
  await expect(card.getByText(t('wechat.intro'))).toBeVisible()
  helper.close()
})
