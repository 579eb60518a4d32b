import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn } from '../harness/frames.ts'
import { makeStepCounter } from '../harness/process/step-counts.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

describeOneEngine(engine => {
  const counter = makeStepCounter()
  let hub: TestHub
  let key: string
  beforeAll(async () => {
    const { nodeArguments, env } = counter
    hub = await startTestHub(engine, { nodeArguments, env, fromSources: true })
    key = (await hub.admin.addPerson(100_000_000)).key
    await hub.gateway.stop()
    counter.take()
  })
  afterAll(async () => {
    await hub?.close()
    counter.close()
  })

  /** The steps of a gateway that starts, answers one call and stops, with the code of the fault. */
  const stepsOf = async (content: string, more: object = {}) => {
    await hub.gateway.start()
    const body = { messages: [{ role: 'user', content }], ...more }
    const seen = await hub.ask({ key, model: 'any:out=1', body })
    await hub.gateway.stop()
    return { steps: counter.take(), fault: seen.complete ? undefined : faultIn(seen.text) }
  }

  it('S46 R25 a long prompt costs few steps per character, in proportion to its length', async () => {
    const short = await stepsOf('Hi')
    // JSON escapes three of the four characters of a line.
    for (const [text, stepsMax] of [
      ['word ', 0.6],
      ['a"\n\t', 8],
    ] as const) {
      const perCharacter = async (length: number) => {
        const { steps, fault } = await stepsOf(text.repeat(length / text.length))
        expect(fault).toBeUndefined()
        return (steps - short.steps) / length
      }
      const [few, many] = [await perCharacter(250_000), await perCharacter(1_000_000)]
      expect([text, many < stepsMax, many < 1.1 * few]).toEqual([text, true, true])
    }
  })

  it('R25 JSON that is nested too deep is not read beyond the limit', async () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    const [few, many] = [
      await stepsOf('Hi', { x: nested(200) }),
      await stepsOf('Hi', { x: nested(5_000) }),
    ]
    expect([few.fault, many.fault]).toEqual(['request_too_deep', 'request_too_deep'])
    expect(Math.abs(many.steps - few.steps)).toBeLessThan(2_000)
  })
})
