import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mapConcurrently, type ObservedCall, unlimitedAgent } from '../../../harness/client.ts'
import { chargesOf } from '../../../harness/ledger.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'
import type { Turn } from '../../../upstream/turn.ts'

/** The soak makes 1,000 calls, and alone asserts their times. */
const calls = Number(process.env.HUB_HEDGED_CALLS ?? 60)
const isSoak = process.env.HUB_HEDGED_CALLS !== undefined
const parallel = 10
const budgetMs = 300
const stallShare = 0.1
const stallMs = 5_000

/** A generator with a fixed seed (mulberry32), so that no run differs from another. */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'hedged' },
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`

/** A stream whose every piece names the channel. */
const answer = async ({ response, served }: Turn) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let n = 0; n < 5; n++) response.write(chunk({ content: `from-${served.channel} ` }))
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  response.write(chunk({}, 'stop'))
  response.write(`data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    for (const name of ['steady', 'stalling'])
      await hub.admin.addChannel(`${hub.upstream.url}/${name}`, { models: 'hedged' })
    await hub.admin.setPrice('hedged', 'tokens', 1, 1)
    await hub.admin.setOption('HedgedStartMilliseconds', String(budgetMs))
    const random = seeded(17)
    hub.upstream.play('hedged', async turn => {
      if (turn.served.channel === 'stalling' && random() < stallShare) await sleep(stallMs)
      if (!turn.response.destroyed) await answer(turn)
    })
  })
  afterAll(() => hub?.close())

  const run = async (isHedged: boolean) => {
    await hub.admin.setOption('HedgedStartEnabled', String(isHedged))
    const person = await hub.admin.addPerson(1_000_000_000)
    const agent = unlimitedAgent()
    hub.upstream.forget()
    const seen = await mapConcurrently(calls, parallel, () =>
      hub.ask({ key: person.key, model: 'hedged', stream: true, agent }),
    )
    agent.destroy()
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    const firstByte = seen.map(each => each.headAt - each.startedAt)
    const perCall = hub.upstream.served.length / calls
    return { seen, charges, perCall, p99: percentile(firstByte, 0.99) }
  }

  const channelsIn = ({ text }: ObservedCall) =>
    new Set([...text.matchAll(/from-(\w+)/g)].map(([, name]) => name)).size

  it('with a hedged start the p99 of the first byte stays below a second while one of two channels stalls', async () => {
    const plain = await run(false)
    const hedged = await run(true)
    console.log(
      `p99 of the first byte ${plain.p99.toFixed(0)} ms without, ${hedged.p99.toFixed(0)} ms with; ` +
        `upstream calls per call ${plain.perCall.toFixed(3)} and ${hedged.perCall.toFixed(3)}`,
    )
    if (isSoak) {
      expect(plain.p99).toBeGreaterThan(stallMs * 0.9)
      expect(hedged.p99).toBeLessThan(1_000)
      expect(hedged.perCall).toBeLessThanOrEqual(1.12)
    }
    for (const { seen, charges } of [plain, hedged]) {
      expect(seen.filter(each => !each.complete)).toEqual([])
      expect(seen.filter(each => channelsIn(each) !== 1 || each.pieces !== 5)).toEqual([])
      expect(charges.map(each => each.amount)).toEqual(seen.map(() => 15))
    }
    await hub.audit()
  })
})
