import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { root } from '../harness/paths.ts'
import { openHub, seed, signIn } from './hub.ts'
import {
  bytesMax,
  type PageWeight,
  scriptsMax,
  shiftMax,
  weighPage,
  widths,
} from './page-weight.ts'
import { consolePaths, publicPaths } from './paths.ts'

/** Writes `docs/benchmarks-console.md`: what each page transfers on a first visit, and how much of it moves. */
const file = join(root, 'docs/benchmarks-console.md')

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: root,
  encoding: 'utf8',
}).trim()

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)

const row = (byWidth: readonly PageWeight[]): string => {
  const [{ path, requests, scripts, bytes, scriptBytes }] = byWidth as [PageWeight]
  const shifts = byWidth.map(each => each.shift.toFixed(3))
  const cells = [
    `\`${path}\``,
    requests,
    scripts,
    kilobytes(scriptBytes),
    kilobytes(bytes),
    ...shifts,
  ]
  return `| ${cells.join(' | ')} |`
}

const report = (rows: readonly string[]) => `# What the console transfers

First visits in Chromium with an empty cache, over HTTP/1.1 and Brotli, in English, with seeded data: public pages as a
visitor, pages of the console as root. Every request counts (page, scripts, styles, images, JSON), response headers
included. 1 kB is 1,000 bytes. Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit}.

| Limit | |
|---|---|
| sign-in | ${kilobytes(bytesMax('/login'))} kB |
| settings | ${kilobytes(bytesMax('/panel/setting'))} kB |
| any other page | ${kilobytes(bytesMax('/'))} kB |
| scripts | ${scriptsMax} |
| layout shift | ${shiftMax} |

\`npm run bench:console\` measures again and writes this page, and \`test/e2e/page-weight.spec.ts\` fails above a limit.

| Page | Requests | Scripts | Scripts, kB | All, kB | Shift at ${widths.join(' px | Shift at ')} px |
|---|---|---|---|---|${widths.map(() => '---|').join('')}
${rows.join('\n')}
`

const hub = await openHub()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  await seed(hub)
  const page = await browser.newPage()
  await signIn(page, hub)
  const signedIn = await page.context().storageState()
  const rows: string[] = []
  for (const path of [...publicPaths, ...consolePaths]) {
    const byWidth: PageWeight[] = []
    for (const width of widths)
      byWidth.push(
        await weighPage(browser, hub, path, {
          viewport: { width, height: 900 },
          ...(path.startsWith('/panel') && { storageState: signedIn }),
        }),
      )
    rows.push(row(byWidth))
    console.log(rows.at(-1))
  }
  writeFileSync(file, report(rows))
} finally {
  await browser.close()
  await hub.close()
}
