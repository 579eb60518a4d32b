import { noUsage, type Usage } from '@hub/dialects/usage'
import { expect, it } from 'vitest'
import { onOneEngine } from '../../../test/harness.ts'
import { unboundedHolds } from '../../db/operations.ts'
import { boundUsage, limitFactor, limitMargin, reasoningMax } from './bound-usage.ts'

const limit = 64
const allowed = limit * limitFactor + limitMargin
const bounded = { outputMost: limit, unbounded: undefined }

onOneEngine('a reported usage', open => {
  const charged = async (
    quote: Parameters<typeof boundUsage>[1],
    reported: Partial<Usage>,
    delivered = 0,
  ) => {
    const { app } = await open()
    const meter = { delivered: () => ({ ...noUsage(), output: delivered }) }
    const { input, output, reasoning } = boundUsage(
      app,
      quote,
      { ...noUsage(), ...reported },
      meter,
    )
    const { values } = await app.metrics.alarms.get()
    const alarms = values.find(each => each.labels.kind === 'usage_capped')?.value ?? 0
    return { input, output, reasoning, alarms }
  }

  it('is charged as reported up to four times the allowed output and 1,024 tokens, without an alarm', async () => {
    const reported = { input: 9_000_000, output: allowed, reasoning: 0 }
    expect(await charged(bounded, reported)).toEqual({ ...reported, alarms: 0 })
  })

  it('is charged up to that bound where its output is more, with an alarm', async () => {
    expect(await charged(bounded, { output: allowed + 1 })).toMatchObject({
      output: allowed,
      alarms: 1,
    })
  })

  it('is charged up to 131,072 tokens of reasoning above that bound', async () => {
    const most = allowed + reasoningMax
    expect(await charged(bounded, { output: 5, reasoning: most })).toMatchObject({
      ...{ output: 5, reasoning: most, alarms: 0 },
    })
    expect(await charged(bounded, { output: 5, reasoning: most + 1 })).toMatchObject({
      ...{ output: 5, reasoning: most, alarms: 1 },
    })
  })

  it('is charged with all that was delivered, however much it is', async () => {
    const reported = { output: 5_000_000 }
    expect(await charged(bounded, reported, 4_000_000)).toMatchObject({
      output: 4_000_000,
      alarms: 1,
    })
  })

  it('is charged as reported where the call has no bound or no limit', async () => {
    const reported = { output: 5_000_000 }
    const free = { ...bounded, outputMost: undefined }
    for (const quote of [free, { ...bounded, unbounded: unboundedHolds.alone }])
      expect(await charged(quote, reported)).toMatchObject({ ...reported, alarms: 0 })
  })
})
