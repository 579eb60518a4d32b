import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { node, root } from '../harness/paths.ts'
import type { Part } from './part.ts'

type Long = {
  name: string
  title: string
  intro: string
  /** Under `test/end-to-end`, or from the root of the project. */
  file: string
  /** Runs only tests whose titles contain this text. */
  only?: string | undefined
  env: Record<string, string>
}

/** Tests of `npm test` with larger figures: the same files. */
const longer: Long[] = [
  {
    name: 'fail-points',
    title: 'R2: killed at every single step',
    intro:
      'In every scenario the process exits at its first durable or network step, then at its second, until it completes.',
    file: 'all/fail-points.test.ts',
    env: { HUB_FAIL_POINTS: 'all' },
  },
  {
    name: 'local-responses',
    title: 'R2: killed at every single step of a response that the gateway stores',
    intro: 'An answer whose end was seen is there, and shows only if it is charged.',
    file: 'all/local-responses-crash.test.ts',
    env: { HUB_FAIL_POINTS: 'all' },
  },
  {
    name: 'backup-kills',
    title: 'R2: a restore that is killed at four of its steps',
    intro: 'It is repeated, and ends in the same state.',
    file: 'all/backup.test.ts',
    env: { HUB_RECOVERY_ROUNDS: '1' },
  },
  {
    name: 'reload',
    title: 'R43: five hundred changes of channels, prices, settings and keys under load',
    intro: 'No call fails, a wrong change changes nothing, and nothing grows.',
    file: 'all/reload.test.ts',
    env: { HUB_CHANGES: '500' },
  },
  {
    name: 'power',
    title: 'R3: the power fails',
    intro:
      'PostgreSQL: every server process is killed under load. SQLite: bytes after the last flush are cut off the log.',
    file: 'all/power-cut.test.ts',
    env: { HUB_POWER_ROUNDS: '50' },
  },
  {
    name: 'recovery',
    title: 'R4: killed three times in a row while it recovers',
    intro:
      'In each round three starts are killed at random steps of the recovery, and a fourth completes it.',
    file: 'all/recovery.test.ts',
    env: { HUB_RECOVERY_ROUNDS: '20' },
  },
  {
    name: 'realtime',
    title: 'R2: killed at every step of a realtime response',
    intro:
      'A response that the caller saw end is paid once; one that was cut is paid once or not at all.',
    file: 'all/realtime-crash.test.ts',
    env: { HUB_RECOVERY_ROUNDS: '1' },
  },
  {
    name: 'batches',
    title: 'R2: killed at every step of charging a batch',
    intro: 'A batch that its vendor has ended is charged once, and its hold is released.',
    file: 'all/batch-crash.test.ts',
    env: { HUB_RECOVERY_ROUNDS: '1' },
  },
  {
    name: 'payments',
    title: 'R30 to R35: 10,000 random payment events with kills',
    intro:
      'The books of the fake vendors and the ledger must be equal to the point, and the auditor reports nothing.',
    file: 'payments.test.ts',
    env: { HUB_PAYMENT_EVENTS: '10000' },
  },
  {
    name: 'vendor-bills',
    title: '2,000 random calls to vendors that bill by their own pages',
    intro: 'Every call is charged what its vendor bills, to the point, or refused.',
    file: 'apps/server/test/vendor-bills',
    env: { HUB_BILLED_CALLS: '2000' },
  },
  {
    name: 'payment-crash',
    title: 'R32: killed at every step of a credit and of a refund',
    intro:
      'An order is credited once, and a refund returned once, whatever was acknowledged before.',
    file: 'all/payment-crash.test.ts',
    env: { HUB_RECOVERY_ROUNDS: '1' },
  },
  {
    name: 'left-calls',
    title: 'I13: callers that leave at every event of every stream',
    intro:
      'The vendor has a meter of its own. CI leaves at four places, and at random in 60 calls.',
    file: 'apps/server/test/left',
    env: { HUB_LEFT_CALLS: 'all' },
  },
  {
    name: 'orders',
    title: 'R30 to R36: orders and refunds of every account at each vendor, on both engines',
    intro:
      'CI runs every account on SQLite and one of each vendor on PostgreSQL, with 200 of the 5,000 changed notices.',
    file: 'apps/server/src/features/orders',
    env: { HUB_PAYMENT_VENDORS: 'all', HUB_FORGED_NOTICES: '5000' },
  },
  {
    name: 'tasks',
    title: 'R2: killed at every step of submitting, polling and charging a task',
    intro: 'A task is charged once if its vendor finished it, and released once if not.',
    file: 'all/task-crash.test.ts',
    env: { HUB_RECOVERY_ROUNDS: '1' },
  },
  {
    name: 'task-vendors',
    title: 'Every path and code of Midjourney, Suno, Kling and the makers of videos, on PostgreSQL',
    intro: 'CI runs them on SQLite only.',
    file: 'apps/server/test/tasks',
    env: { HUB_RELAY_ENGINE: 'PostgreSQL' },
  },
  {
    name: 'task-polls',
    title: '10,000 running tasks on two nodes',
    intro:
      'Each task is polled by one node per turn; all nodes together stay within the limit of the channel.',
    file: 'all/measures/task-polls.test.ts',
    env: { HUB_TASKS: '10000' },
  },
  {
    name: 'hedged-start',
    title: 'A hedged start while one of two channels stalls in every tenth call',
    intro:
      'The p99 of the first byte is below a second, with at most 1.12 upstream calls per call.',
    file: 'all/measures/hedged-start.test.ts',
    env: { HUB_HEDGED_CALLS: '1000' },
  },
  {
    name: 'channel-changes',
    title: '1,000 changes of a channel under load, on two nodes',
    intro: 'Every node obeys each change within a second, and no call fails.',
    file: 'all/measures/channel-changes.test.ts',
    env: { HUB_CHANNEL_CHANGES: '1000' },
  },
  {
    name: 'retry-before-content',
    title: 'A channel that fails before its content, 100 times at each point of each dialect',
    intro: 'The second channel answers every call, which is charged once and lists both attempts.',
    file: 'apps/server/test/retry-before-content.test.ts',
    env: { HUB_CONTENT_ROUNDS: '100' },
  },
  {
    name: 'access',
    title: 'S9, S24, C38: who may call, read and write what, on both engines',
    intro: 'CI runs these tables and the canaries on SQLite only.',
    file: 'test/security',
    env: { HUB_EVERY_ENGINE: '1' },
  },
  {
    name: 'features',
    title: 'Sign-in, profiles, settings, channels and models, on both engines',
    intro:
      'CI runs those on SQLite only that neither move money nor need more than plain statements.',
    file: 'apps/server/src/features',
    env: { HUB_EVERY_ENGINE: '1' },
  },
  {
    name: 'notifications',
    title: '1,000 notifications with 30 % faults to each of eleven services',
    intro:
      'Each is delivered once or listed as failed, within the rate, size, markup and signature that the service demands.',
    file: 'apps/server/src/notifications/deliver.test.ts',
    env: { HUB_NOTIFICATION_EVENTS: '1000' },
  },
  {
    name: 'notification-texts',
    title: '1,000 generated texts in the markup of each of eleven services',
    intro: 'Unicode texts at the size limits: each is accepted, and no text becomes markup.',
    file: 'apps/server/src/integrations/notifiers/markup.test.ts',
    env: { HUB_NOTIFICATION_TEXTS: '1000' },
  },
  {
    name: 'notification-kills',
    title: 'R2: nodes are killed while they send notifications, with 30 % faults',
    intro:
      'Nothing is lost; what has an id arrives once, and another message twice only if it was under way.',
    file: 'all/notifications-crash.test.ts',
    // Each fault pauses its target for five seconds and more of real time, so that 1,000 events would take hours.
    env: { HUB_NOTIFICATION_EVENTS: '200', HUB_NOTIFICATION_KILLS: '40' },
  },
  {
    name: 'import-kills',
    title: 'Imports of One Hub and of LiteLLM, each killed 20 times and repeated',
    intro: 'A killed import leaves nothing; the next one writes what an undisturbed one writes.',
    file: 'apps/server/test/import/killed.test.ts',
    env: { HUB_IMPORT_KILLS: '20' },
  },
  {
    name: 'rolling-restart',
    title: 'R41: three nodes restarted in turn, 20 times at 200 calls a second',
    intro: 'Behind a load balancer that asks for readiness and never sends a request twice.',
    file: 'all/rolling-restart.test.ts',
    env: { HUB_ROLLING_NODES: '3', HUB_ROLLING_RESTARTS: '20', HUB_ROLLING_RATE: '200' },
  },
  {
    name: 'three-nodes',
    title: 'R44: three nodes at 200 calls a second, the database away for 60 seconds',
    intro: 'Redis is flushed three times, and at the end one node is killed.',
    file: 'all/three-nodes.test.ts',
    env: { HUB_AWAY_MS: '60000', HUB_NODES_RATE: '200' },
  },
  {
    name: 'away',
    title: 'R44: the database is away for 60 seconds',
    intro: 'Responses in flight end, go to the journal, and are charged once when it is back.',
    file: 'all/database-unavailable.test.ts',
    env: { HUB_AWAY_MS: '60000' },
  },
  {
    name: 'idle',
    title: 'R23: 10,000 idle streams for ten minutes',
    intro: 'Heartbeats only; memory of each stream, and the memory released at the end.',
    file: 'all/measures/idle-streams.test.ts',
    env: { HUB_IDLE_STREAMS: '10000', HUB_IDLE_SECONDS: '600' },
  },
  {
    name: 'sockets',
    title: 'R21 and R23: 1,000 idle sessions, and a caller that stalls for a minute',
    intro: 'Memory of each session, and of one whose caller does not read.',
    file: 'all/measures/idle-sockets.test.ts',
    env: { HUB_STALL_SECONDS: '60' },
  },
  {
    name: 'cut-streams',
    title: 'Generated streams cut at every byte',
    intro: 'For each dialect: the meaning of a stream does not depend on the network’s chunks.',
    file: 'packages/dialects/src',
    only: 'cut at any byte',
    env: { SOAK_STREAMS: '500' },
  },
  {
    name: 'generated-cases',
    title: '5,000 generated requests, answers and streams of each dialect',
    intro: 'Encoding and decoding lose nothing, and malformed values throw nothing.',
    file: 'packages/dialects/src',
    env: { HUB_ROUND_TRIP_CASES: '5000' },
  },
  {
    name: 'signed-orders',
    title: '5,000 random orders and notices, signed as the SDKs of Alipay and WeChat Pay do',
    intro: 'Each signature is equal or verified by the other side.',
    file: 'apps/server/src/integrations/payments',
    env: { HUB_SIGNED_ORDERS: '5000' },
  },
  {
    name: 'output-limits',
    title: 'The limit of an answer for every caller and upstream, on both engines',
    intro: 'CI runs every pair on SQLite and one of them on PostgreSQL.',
    file: 'apps/server/test/output-limits',
    env: { HUB_EVERY_ENGINE: '1' },
  },
  {
    name: 'ledger-operations',
    title: '50,000 operations of many users at once on each engine',
    intro: 'The rows agree with the model, and the auditor reports nothing.',
    file: 'apps/server/test/ledger',
    env: { HUB_LEDGER_OPERATIONS: '50000' },
  },
]

/** Milliseconds after which nothing comes any more, also of fifty rounds. */
const hangs = '7200000'

/** Runs a test file. Returns the lines with its figures, and the result: `passed` if it is sound. */
const runTest = async ({ file, only, env }: Pick<Long, 'file' | 'only' | 'env'>) => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const isUnit = /^(packages|apps)\//.test(file)
  const isSecurity = file.startsWith('test/security')
  const path = isUnit || isSecurity ? file : `test/end-to-end/${file}`
  const words = ['run', '--testTimeout', hangs, path]
  if (only) words.push('-t', only)
  const child = spawn(node, [vitest, ...words], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    process.stdout.write(chunk)
  })
  const [code] = await once(child, 'close')
  const lines = output.match(
    only ? /(?<=✓ ).*\(\d+ tests.*\)/g : /^(?:R\d+|I13|Notifications) on .*$/gm,
  )
  // A run whose tests were all skipped, for want of a database or of recordings, proves nothing.
  const hasRun = /^\s*Tests\s.*\d+ (passed|failed)/m.test(output)
  const result = hasRun ? (code === 0 ? 'passed' : 'FAILED') : 'NO TEST RAN'
  return { result, lines: lines ?? [] }
}

export const longerTests: Part[] = longer.map(({ file, only, env, ...part }) => ({
  ...part,
  columns: ['Test', 'Figures', 'Seed', 'Result', 'Output'],
  run: async ({ seed }) => {
    const { result, lines } = await runTest({
      file,
      only,
      env: { HUB_SEED: String(seed), ...env },
    })
    const figures = Object.entries(env).map(each => each.join('='))
    const words = lines.map(each => each.replaceAll('|', '/')).join('<br>')
    return {
      rows: [[file, figures.join(' '), seed, result, words]],
      isSound: result === 'passed',
    }
  },
}))
