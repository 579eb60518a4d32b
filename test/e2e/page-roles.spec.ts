import { expect, signInAs, test } from './hub.ts'
import { dress } from './page-checks.ts'
import { consolePaths } from './paths.ts'
import { isWorded } from './texts.ts'

for (const [name, role, language] of [
  ['a user', 1, 'zh_HK'],
  ['an administrator', 10, 'ja_JP'],
] as const)
  test(`${name} sees each page, or that it is none of theirs, without an error`, async ({
    browser,
    seeded,
  }) => {
    test.setTimeout(240_000)
    const { url } = seeded.gateway
    const person = await seeded.admin.addPerson(5_000_000, {}, { role })
    const context = await browser.newContext()
    const page = await context.newPage()
    await signInAs(page, seeded, person)
    await dress(page, language)
    const failures: string[] = []
    page.on('pageerror', error => failures.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') failures.push(`${page.url()}: ${message.text()}`)
    })
    for (const path of consolePaths)
      await test.step(path, async () => {
        await page.goto(`${url}${path}`)
        await expect(page.locator('main h1').filter({ visible: true })).toHaveCount(1)
        await page.waitForLoadState('networkidle')
        expect.soft(page.url(), 'signed in').not.toContain('/login')
        await isWorded(page, language)
      })
    expect(failures).toEqual([])
    await context.close()
  })
