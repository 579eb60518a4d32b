import { afterAll, beforeAll, expect, it } from 'vitest'
import { startingBalance } from '../harness/crash/crash-rounds.ts'
import { chargesOf, query } from '../harness/ledger.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

/** The tokens of OpenAI's encoding, with those around the message. */
const sentence = 'The quick brown fox jumps over the lazy dog, "and" nobody knows the reason.\n\n'
const sentenceTokens = 17
const sentences = 300

describeEachEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(() => hub?.close())

  it('I13 a call that a crash cut off is charged the fair prompt, and not what was held for it', async () => {
    const person = await hub.admin.addPerson(startingBalance)
    const messages = [{ role: 'user', content: sentence.repeat(sentences) }]
    const call = hub.ask({
      key: person.key,
      model: 'any:in=10;out=3000;every=10',
      stream: true,
      body: { messages },
    })
    const written = () => query(hub.gateway, 'select id from holds where accrued > 0')
    await until('it is written down on its way', async () => (await written()).length > 0)
    hub.gateway.signal('SIGKILL')
    await call
    await hub.gateway.exited()
    await hub.gateway.start()
    await hub.settled()
    const [charge] = await chargesOf(hub.gateway, person.id)
    const fair = sentences * sentenceTokens
    const cautious = (sentence.length * sentences) / 3
    expect(cautious / fair).toBeGreaterThan(1.4)
    const { input } = JSON.parse(charge!.usage).usage
    expect(Math.abs(input / fair - 1)).toBeLessThan(0.15)
    await hub.audit()
  })
})
