import type { Page } from '@playwright/test'
import type { words } from './words.ts'

type T = ReturnType<typeof words>
type Scene = [what: string, path: string, open: (page: Page, t: T) => Promise<unknown>]

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()
const item = (page: Page, name: string) => page.getByRole('menuitem', { name }).first().click()
const rowMenu = (page: Page, t: T) =>
  page
    .getByRole('button', { name: new RegExp(t('common.actionsOf', { name: '.+' })) })
    .first()
    .click()
/** Opens the dialog that reads a list, and pastes one. */
const readList = async (page: Page, t: (key: string) => string, list: object[]) => {
  await press(page, t('open'))
  await press(page, t('byText'))
  await page.getByLabel(t('text')).fill(JSON.stringify(list))
  await press(page, t('fetch'))
  await page.getByText('new-model').waitFor()
}
/** Opens what is folded, so that nothing is left unread. */
const unfold = async (page: Page) => {
  const folded = page.locator('.MuiAccordionSummary-root[aria-expanded=false]')
  while ((await folded.count()) > 0) await folded.first().click()
}
/** Ends with the dialog that shows the keys. */
const createTokens = (name: string, value: number) => async (page: Page, t: T) => {
  await press(page, t('tokens.create'))
  const form = page.getByRole('dialog')
  await form.getByLabel(t('tokens.fields.name')).fill(name)
  await form.getByLabel(t('tokens.fields.count')).fill(`${value}`)
  await form.locator('button[type=submit]').click()
  const title = value === 1 ? 'tokens.made.title' : 'tokens.batch.createdTitle'
  await page.getByText(t(title, { name, value: `${value}` })).waitFor()
}

/** Everything that opens over a page: its name, the page, and what opens it. */
export const scenes: readonly Scene[] = [
  [
    'settings of a channel',
    'channel/1?tab=settings',
    async (page, t) => {
      await page.getByRole('button', { name: t('channels.save') }).waitFor()
      await unfold(page)
    },
  ],
  [
    'models of a new channel',
    'channel/new',
    async (page, t) => {
      await page.getByRole('radio', { name: 'OpenAI', exact: true }).click({ force: true })
      await page.getByLabel(t('channels.fields.key'), { exact: false }).first().fill('sk-1')
      await press(page, t('channel-create.next'))
      await page.getByRole('button', { name: t('channel-create.store') }).waitFor()
      await unfold(page)
    },
  ],
  [
    'question before deleting',
    'channel',
    async (page, t) => {
      await press(page, t('channels.tools'))
      await item(page, t('channels.removeDisabled.action'))
    },
  ],
  [
    'tags of channels',
    'channel',
    async (page, t) => {
      await press(page, t('channels.tools'))
      await item(page, t('channels.tags.open'))
      await page.getByText(t('channels.tags.intro')).waitFor()
    },
  ],
  [
    'form of a tag',
    'channel',
    async (page, t) => {
      await press(page, t('channels.tools'))
      await item(page, t('channels.tags.open'))
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('common.actionsOf', { name: 'team' }) })
        .click()
      await item(page, t('channels.tags.edit'))
      await page.getByText(t('channels.tags.keys')).waitFor()
      await unfold(page)
    },
  ],
  [
    'test of all channels',
    'channel',
    async (page, t) => {
      await press(page, t('channels.tools'))
      await item(page, t('channels.testAll'))
      await page.getByText(t('channels.batchRun.test.succeeded', { done: '2' })).waitFor()
      // The channels of videos and of Midjourney are not.
      await page.getByText(t('channels.batchRun.untested', { count: '2' })).waitFor()
    },
  ],
  ['channel record', 'channel?open=1', page => page.getByRole('dialog').waitFor()],
  ['channel menu', 'channel', (page, t) => rowMenu(page, t)],
  [
    'token form',
    'token',
    async (page, t) => {
      await press(page, t('tokens.create'))
      await unfold(page)
    },
  ],
  ['key shown once', 'token', createTokens('For axe', 1)],
  ['keys of several tokens', 'token', createTokens('A rather long name of a team', 3)],
  [
    'limit of selected tokens',
    'token',
    async (page, t) => {
      await page.getByRole('checkbox').nth(1).check()
      await press(page, t('common.edit'))
      await item(page, t('tokens.batch.limit'))
      await page.getByText(t('tokens.batch.limitTitle', { value: '1' })).waitFor()
    },
  ],
  ['token record', 'token?open=1', page => page.getByRole('dialog').waitFor()],
  [
    'hand-over of a key',
    'dashboard?view=mine',
    async (page, t) => {
      await press(page, 'ChatGPT Next')
      await page.getByText(t('tokens.externalLink.title', { name: 'ChatGPT Next' })).waitFor()
    },
  ],
  [
    'price form',
    'pricing',
    async (page, t) => {
      await press(page, t('prices.create'))
      await unfold(page)
    },
  ],
  [
    'prices of many models',
    'pricing?unit=cny#multiple',
    async (page, t) => {
      await press(page, t('prices.bulk.create'))
      await unfold(page)
    },
  ],
  [
    'scheduled price',
    'pricing?unit=ratio#scheduled',
    (page, t) => press(page, t('prices.schedule.create')),
  ],
  [
    'preview of a price list',
    'pricing',
    (page, t) =>
      readList(page, key => t(`prices.sync.${key}`), [
        { model: 'new-model', type: 'tokens', channel_type: 1, input: 1, output: 2 },
      ]),
  ],
  [
    'details of a model',
    'model_price',
    async page => {
      await page.locator('main ul li button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  ['user form', 'user', (page, t) => press(page, t('users.create'))],
  [
    'balance of a user',
    'user',
    async (page, t) => {
      await rowMenu(page, t)
      await item(page, t('users.actions.quota'))
      await page.getByText(t('users.quota.before')).waitFor()
    },
  ],
  ['user record', 'user?open=1', page => page.getByRole('dialog').waitFor()],
  ['form of codes', 'redemption', (page, t) => press(page, t('redemptions.create'))],
  [
    'codes that were made',
    'redemption',
    async (page, t) => {
      await press(page, t('redemptions.create'))
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t('redemptions.fields.name')).fill('For axe')
      await dialog.getByLabel(t('redemptions.fields.count')).fill('30')
      await page.locator('[role=dialog] button[type=submit]').click()
      await page.getByRole('button', { name: t('redemptions.made.download') }).waitFor()
    },
  ],
  [
    'code record',
    'redemption?keyword=Spring',
    async page => {
      await page.locator('main tbody tr, main li').getByText('Spring').first().click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  ['test of the mail server', 'setting', (page, t) => press(page, t('settings.testMail.open'))],
  [
    'group form',
    'user_group',
    async (page, t) => {
      await press(page, t('groups.create'))
      await unfold(page)
    },
  ],
  [
    'form of a sign-in provider',
    'oauth_provider',
    async (page, t) => {
      await press(page, t('oauth-providers.create'))
      await unfold(page)
    },
  ],
  [
    'record of a sign-in provider',
    'oauth_provider?open=1',
    page => page.getByRole('dialog').waitFor(),
  ],
  [
    'form of a virtual model',
    'virtual_model',
    (page, t) => press(page, t('virtual-models.create')),
  ],
  [
    'preview of a virtual model',
    'virtual_model',
    async (page, t) => {
      await press(page, t('virtual-models.preview.title', { name: 'smart' }))
      await page
        .getByText(t('virtual-models.reason.time'))
        .or(page.getByText('75'))
        .first()
        .waitFor()
    },
  ],
  [
    'history of a virtual model',
    'virtual_model',
    async (page, t) => {
      await press(page, t('virtual-models.history.title', { name: 'smart' }))
      await page.getByText(t('virtual-models.history.version', { number: '1' })).waitFor()
    },
  ],
  ['owner form', 'model_ownedby', (page, t) => press(page, t('owners.create'))],
  ['form of model information', 'model_info', (page, t) => press(page, t('model-info.create'))],
  [
    'preview of model information',
    'model_info',
    (page, t) =>
      readList(page, key => t(`model-info.import.${key}`), [
        { model: 'gpt-4.1', model_info: { input_modalities: ['text', 'image'], tags: ['Hot'] } },
        { model: 'broken-model', model_info: { support_url: 'no address' } },
        { model: 'new-model', model_info: {} },
      ]),
  ],
  ['announcement', 'dashboard', (page, t) => press(page, t('notice.title'))],
  ['profile drawer', 'dashboard', (page, t) => press(page, t('menu.account'))],
  ['languages', 'dashboard', (page, t) => press(page, t('common.language'))],
  ['command palette', 'dashboard', page => page.keyboard.press('Control+k')],
  ['list of keys', 'dashboard', page => page.keyboard.press('?')],
  ['filters', 'log', (page, t) => press(page, t('common.filters'))],
  [
    'calendar',
    'log',
    async (page, t) => {
      await press(page, t('common.filters'))
      await page.locator('.MuiPickersInputBase-root button').first().click()
      await page.getByRole('grid').waitFor()
    },
  ],
  [
    'log record',
    'log',
    async page => {
      await page.locator('main tbody tr, main li').getByText('gpt-4.1').first().click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'simulation',
    'simulator',
    async (page, t) => {
      await press(page, t('simulator.run'))
      await page.getByText(t('simulator.total')).waitFor()
    },
  ],
  [
    'deletion of logs',
    'log',
    async (page, t) => {
      await rowMenu(page, t)
      await item(page, t('logs.delete.open'))
    },
  ],
  ['operation settings', 'setting', page => unfold(page)],
  ['other settings', 'setting?tab=other', page => unfold(page)],
  ['system settings', 'setting?tab=system', page => unfold(page)],
  [
    'unsaved work',
    'user_group',
    async (page, t) => {
      await press(page, t('groups.create'))
      await page.getByRole('dialog').getByLabel(t('groups.fields.name')).fill('x')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('common.cancel') })
        .click()
      await page.getByText(t('common.unsaved.title')).waitFor()
    },
  ],
]
