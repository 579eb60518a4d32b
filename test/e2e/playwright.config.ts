import { defineConfig } from '@playwright/test'

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

/**
 * E2E_LOOKS=all sees every page in all looks, opens every dialog at both widths, and loads every page twice: half an hour.
 * Without it, each page is seen in two looks of the twelve, and the pages together in all of them.
 */
const allLooks = process.env.E2E_LOOKS === 'all'

/** Tests of money run once; tests of layout run for each width and theme. */
const ignoredIn = (project: string): string[] => {
  if (project === 'light wide') return allLooks ? [] : ['reload.*', 'dialogs.*']
  const once = [
    'money.*',
    'plain-http.*',
    'page-weight.*',
    'page-roles.*',
    'outage.*',
    'payments.*',
    'session.*',
    'amounts.*',
    'top-up-price.*',
    'passkeys.*',
    'turnstile.*',
    'sign-ins.*',
    'hostile-sign-ins.*',
    'focus-rings.*',
    'back.*',
    'channels.*',
    'virtual-models.*',
    'model-info.*',
    'wechat.*',
    'product.*',
    'product-*.*',
    'xss.*',
    'tasks.*',
    'call-route.*',
    'shell.*',
    'log-page.*',
    'playground.*',
    'clients.*',
    'midjourney.*',
    'clicks.*',
    'demo.*',
    'reload.*',
  ]
  return project === 'dark phone' ? once : [...once, 'first-run.*', 'dialogs.*']
}

/** A person in a real browser: both themes, a desk and a phone. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../node_modules/.cache/e2e',
  fullyParallel: true,
  // Each has a gateway and a browser of its own; pages wait more than they work.
  workers: 3,
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    [
      'json',
      {
        outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? '../../node_modules/.cache/e2e.json',
      },
    ],
  ],
  use: {
    browserName: 'chromium',
    actionTimeout: 60_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        // Chromium's own sandbox cannot be made by root, which is who tests are in CI.
        '--no-sandbox',
        '--font-render-hinting=none',
        // A name in a local network: unlike localhost it is not to be trusted without HTTPS.
        '--host-resolver-rules=MAP hub.lan 127.0.0.1',
      ],
    },
    timezoneId: 'UTC',
    // Nothing fades: what axe reads is what stays.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
  projects: (['light', 'dark'] as const)
    .flatMap(colorScheme =>
      (['wide', 'phone'] as const).map(size => ({
        name: `${colorScheme} ${size}`,
        use: { colorScheme, viewport: sizes[size] },
        testIgnore: ignoredIn(`${colorScheme} ${size}`),
      })),
    )
    .filter(({ name }) => allLooks || ['light wide', 'dark phone'].includes(name)),
})
