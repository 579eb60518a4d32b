import { expect, signIn, test } from './hub.ts'
import { dress, isAccessible } from './page-checks.ts'
import { words } from './words.ts'

/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const answerText = /t0 x\s*t1 x\s*t2 x\s*t3 x\s*t4 x/

test('a question in each API format with its cost and log row, two models side by side, kept through a reload', async ({
  page,
  hub,
}) => {
  const t = words('en_US')
  const { admin, gateway, upstream } = hub
  await admin.addChannel(`${upstream.url}/a`, { name: 'West', models: 'model-a,model-b' })
  await admin.setPrice('model-a', 'tokens', 1)
  await admin.setPrice('model-b', 'tokens', 1)
  await dress(page, 'en_US')
  await signIn(page, hub)
  await page.goto(`${gateway.url}/panel/playground`)
  const model = page.getByRole('combobox', { name: t('playground.model'), exact: true })
  await expect(model).toHaveValue('model-a')
  const logLinks = page.getByRole('link', { name: t('playground.log'), exact: true })
  const answers = page.getByRole('article')
  const ask = async (question: string) => {
    await page.getByLabel(t('playground.message')).fill(question)
    await page.keyboard.press('Enter')
  }
  const formats = ['OpenAI Chat Completions', 'OpenAI Responses', 'Claude Messages', 'Gemini']
  for (const [index, format] of formats.entries()) {
    await page.getByRole('combobox', { name: t('playground.dialect') }).click()
    await page.getByRole('option', { name: format }).click()
    await ask(`Question ${index}`)
    await expect(answers.nth(index)).toContainText(answerText)
    await expect(logLinks).toHaveCount(index + 1)
  }

  await page.getByTestId('images').setInputFiles({
    ...{ name: 'dot.png', mimeType: 'image/png', buffer: png },
  })
  await page.getByRole('switch', { name: t('playground.compare') }).check()
  await ask('Both of you')
  await expect(logLinks).toHaveCount(6)
  await expect(answers.last().getByText(answerText)).toHaveCount(2)
  await isAccessible(page)

  await page.reload()
  await expect(logLinks).toHaveCount(6)
  await expect(page.getByAltText('dot.png')).toBeVisible()
  await expect(page.getByRole('combobox', { name: t('playground.dialect') })).toContainText(
    'Gemini',
  )
  await logLinks.last().click()
  await expect(page).toHaveURL(/\/panel\/log\/\d+$/)
  await expect(page.getByText(t('log.outcome.complete'))).toBeVisible()
})
