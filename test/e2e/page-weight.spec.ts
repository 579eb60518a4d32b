import { expect, signIn, test } from './hub.ts'
import { bytesMax, scriptsMax, shiftMax, weighPage } from './page-weight.ts'
import { consolePaths, publicPaths } from './paths.ts'

test('a first visit to any page transfers little, in few scripts, nothing moves and no error is logged', async ({
  browser,
  page,
  seeded,
}) => {
  await signIn(page, seeded)
  const signedIn = await page.context().storageState()
  for (const path of [...publicPaths, ...consolePaths])
    await test.step(path, async () => {
      const isConsole = path.startsWith('/panel')
      const weigh = () =>
        weighPage(browser, seeded, path, {
          viewport: { width: 768, height: 1024 },
          reducedMotion: 'reduce',
          ...(isConsole && { storageState: signedIn }),
        })
      const { bytes, scripts, errors, ...first } = await weigh()
      // A busy machine draws frames late, so that what belongs to one frame moves in two: then one more load decides.
      const shift = first.shift > shiftMax ? (await weigh()).shift : first.shift
      expect.soft(bytes, `${path}: bytes`).toBeLessThanOrEqual(bytesMax(path))
      expect.soft(scripts, `${path}: scripts`).toBeLessThanOrEqual(scriptsMax)
      // The server answers 404 to an unknown path, which Chromium reports.
      const expected = path === '/nowhere' ? [expect.stringContaining('404')] : []
      expect.soft(errors, `${path}: errors`).toEqual(expected)
      expect.soft(shift, `${path}: layout shift`).toBeLessThanOrEqual(shiftMax)
    })
})
