import { setTimeout as sleep } from 'node:timers/promises'
import { auditLedger } from '../audit.ts'
import type { ObservedCall } from '../client.ts'
import { type Account, accountOf, countHolds, type Transfer, transfersOf } from '../ledger.ts'
import { until } from '../runner/until.ts'
import type { Prepared, RestoredHub } from './prepared-hub.ts'

/** One call of a scenario, as its client saw it, and what the whole answer costs. */
export type ScenarioCall = { seen: ObservedCall; exact: number }

export type LedgerState = { account: Account; transfers: Transfer[] }

/** Effects outside the gateway, whether it died or not. */
export type ScenarioResult = { calls?: ScenarioCall[]; acknowledged?: boolean }

export type Scenario = {
  title: string
  /** Steps at which it must have been killed if every step is tried: one that lost its failpoint is noticed. */
  passes: readonly string[]
  /** Steps are counted from the call of `arm` in `act`; otherwise from the first listening socket. */
  armed?: true
  act(restored: RestoredHub, step: number): Promise<ScenarioResult>
  /** Additional assertions after the restart. */
  check?(
    restored: RestoredHub,
    before: LedgerState,
    after: LedgerState,
    result: ScenarioResult,
  ): Promise<void> | void
  /** Continues on the restarted gateway before the checks; needs `armed`. */
  afterRestart?(restored: RestoredHub, result: ScenarioResult): Promise<ScenarioResult>
}

/** `npm run test:long` kills at every step; a run of CI at every sixth. */
export const isEveryStep = process.env.HUB_FAIL_POINTS === 'all'
const stride = isEveryStep ? 1 : 6
const stepsMax = 400
const refusedMax = 5
/**
 * Time for work that follows the last byte to the client, also under load. Only a run without a kill waits so long.
 */
const afterwardsMs = 1_500
/** Upper bounds of the gateway's estimates for a piece and for a prompt; only the vendor's usage is exact. */
const countedPerPiece = 2
const countedPrompt = 60

const booksOf = async ({ where, person }: RestoredHub): Promise<LedgerState> => ({
  account: await accountOf(where, person.id),
  transfers: await transfersOf(where, person.id),
})

/** The step at which the last start was killed; undefined: it runs. */
export const killedAt = async ({ gateway }: RestoredHub): Promise<string | undefined> => {
  const code = await Promise.race([gateway.exited(), sleep(afterwardsMs)])
  if (code === undefined) return undefined
  const name = gateway
    .output()
    .match(/failpoint: (?!armed).*/g)
    ?.at(-1)
  if (code !== 'SIGKILL' || !name)
    throw new Error(`the gateway ended with ${code}:\n${gateway.output().slice(-2_000)}`)
  return name.slice('failpoint: '.length)
}

const resolved = (restored: RestoredHub) =>
  until('no hold is open', async () => (await countHolds(restored.where)) === 0)

/** Starts counting steps, in a scenario with `armed`. */
export const arm = async ({ gateway }: RestoredHub): Promise<void> => {
  const before = gateway.output().length
  gateway.signal('SIGUSR2')
  await until('steps are counted', () =>
    gateway.output().slice(before).includes('failpoint: armed'),
  )
}

/** Kills the gateway at one step after the other until the scenario gets through, and compares the books after each. */
export const killAtSteps = async (prepared: Prepared, scenario: Scenario): Promise<string[]> => {
  const restored = await prepared.open()
  const passed: string[] = []
  const from = scenario.armed ? 'signal:' : ''
  let compare: (() => Promise<void>) | undefined
  let refused = 0
  try {
    for (let step = 1; step <= stepsMax; ) {
      // Each start is also the recovery from the kill before.
      await restored.gateway.start({ FAILPOINT: `${from}${step}` })
      await compare?.()
      const before = await booksOf(restored)
      const result = await scenario.act(restored, step)
      const name = await killedAt(restored)
      compare = async () => {
        const all = (await scenario.afterRestart?.(restored, result)) ?? result
        await compared(restored, scenario, before, all, `${step}: ${name}`)
      }
      if (name) {
        passed.push(name)
        step += stride
      } else if (!isThrough(result) && ++refused < refusedMax) {
        // Under load the gateway may answer 503: neither killed nor complete, so the same step runs again.
        await restored.gateway.stop('SIGKILL')
      } else {
        await restored.gateway.stop('SIGKILL')
        await restored.gateway.start()
        await compare()
        return passed
      }
    }
    throw new Error(`${scenario.title}: not through after ${stepsMax} steps`)
  } finally {
    await restored.close()
  }
}

/** Every requested effect happened. */
const isThrough = ({ calls = [], acknowledged = true }: ScenarioResult): boolean =>
  acknowledged && calls.every(({ seen, exact }) => exact === 0 || seen.complete)

const compared = async (
  restored: RestoredHub,
  scenario: Scenario,
  before: LedgerState,
  result: ScenarioResult,
  where: string,
): Promise<void> => {
  try {
    await resolved(restored)
    const after = await booksOf(restored)
    checkBooks(before, after)
    checkCalls(restored, before, after, result.calls ?? [])
    await scenario.check?.(restored, before, after, result)
    await auditLedger(restored.where)
  } catch (cause) {
    const { message } = cause as Error
    throw new Error(`${scenario.title}, killed at step ${where}: ${message}`, { cause })
  }
}

const must = (isTrue: boolean, sentence: string) => {
  if (!isTrue) throw new Error(sentence)
}

export const newTransfers = (before: LedgerState, after: LedgerState): Transfer[] => {
  const known = new Set(before.transfers.map(each => each.id))
  return after.transfers.filter(each => !known.has(each.id))
}

const checkBooks = (before: LedgerState, after: LedgerState) => {
  const id = after.account.userId
  const moved = newTransfers(before, after).reduce(
    (sum, each) => sum + (each.debit === id ? -each.amount : each.amount),
    0,
  )
  must(after.account.held === 0, `${after.account.held} points are still held`)
  must(
    after.account.balance === before.account.balance + moved,
    `the balance went from ${before.account.balance} to ${after.account.balance}, the postings say ${moved}`,
  )
}

/** Paid in full if the client has it all; once or not at all, and never above what left the vendor, if not. */
const checkCalls = (
  restored: RestoredHub,
  before: LedgerState,
  after: LedgerState,
  calls: ScenarioCall[],
) => {
  const charges = newTransfers(before, after).filter(
    each => each.kind === 'request' || each.kind === 'late',
  )
  must(
    charges.filter(each => each.kind === 'request').length <= calls.length,
    `${charges.length} charges for ${calls.length} calls`,
  )
  const open = new Map(Map.groupBy(charges, each => Math.abs(each.id)))
  let bound = 0
  for (const { seen, exact } of calls) {
    const own = open.get(Number(seen.requestId)) ?? []
    const amount = own.reduce((sum, each) => sum + each.amount, 0)
    if (seen.complete) {
      must(amount === exact, `complete and charged ${amount}, not ${exact}`)
      open.delete(Number(seen.requestId))
      continue
    }
    const sent = restored.upstream.served
      .filter(each => each.mark === seen.mark)
      .reduce((sum, each) => sum + each.pieces, 0)
    bound += sent === 0 && exact === 0 ? 0 : Math.max(exact, countedPrompt + countedPerPiece * sent)
  }
  const rest = [...open.values()].flat().reduce((sum, each) => sum + each.amount, 0)
  must(rest >= 0 && rest <= bound, `broken calls were charged ${rest}, at most ${bound} was sent`)
}
