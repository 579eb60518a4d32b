import { defineConfig } from 'vitest/config'
import { icons } from './apps/console/icons.ts'
import { LongestFirst } from './test/harness/runner/longest-first.ts'

const never = ['**/node_modules/**', '**/dist/**']
/** It takes half a minute, and `npm run check` runs it: `npm test` sets this variable. */
const checked = process.env.WITHOUT_ARCHITECTURE ? ['test/architecture.test.ts'] : []
const setupFiles = ['test/harness/runner/seed.ts']
/** A time limit of the runner tells what hangs, not what is slow: what must be quick says so itself. */
const hangs = 900_000
const limits = { testTimeout: hangs, hookTimeout: hangs, expect: { poll: { timeout: 300_000 } } }
/** `npm run test:all` runs these; every other test file is run by `npm test`. */
const all = 'test/**/all/**/*.test.ts'
const measures = 'test/end-to-end/all/measures/**/*.test.ts'

/** `scripts/test.mjs` runs these one after another; `vitest run --project unit` runs one alone. */
export default defineConfig({
  test: {
    // Every core; left to itself, vitest leaves one idle.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/**/*.test.ts',
            'apps/server/**/*.test.ts',
            'test/*.test.ts',
            'test/upstream/**/*.test.ts',
            'test/architecture/**/*.test.ts',
            'test/harness/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...never, ...checked],
          setupFiles,
          globalSetup: 'test/harness/runner/shared-databases.ts',
          // Modules are loaded once for all files of a worker: mutable state belongs to `App`.
          isolate: false,
          ...limits,
        },
      },
      {
        plugins: [icons()],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'console',
          include: ['apps/console/**/*.test.{ts,tsx}'],
          exclude: never,
          environment: 'happy-dom',
          ...limits,
        },
      },
      {
        test: {
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          exclude: [...never, all],
          ...limits,
        },
      },
      {
        test: {
          name: 'all',
          include: [all],
          exclude: [...never, measures],
          setupFiles,
          ...limits,
        },
      },
      {
        test: {
          name: 'measures',
          include: [measures],
          exclude: never,
          setupFiles,
          ...limits,
        },
      },
      {
        test: {
          name: 'end-to-end',
          include: ['test/end-to-end/**/*.test.ts'],
          exclude: [...never, all],
          setupFiles,
          ...limits,
        },
      },
    ],
  },
})
