import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { faultIn } from '../harness/frames.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

/** Numbers that JSON allows, including those that overflowed other gateways (CVE-2026-71479). */
const hostile = [
  '-1',
  '-9223372036854775808',
  '9223372036854775807',
  '18446744073709551616',
  '1e308',
  '-1e308',
  '1e999',
  '0.5',
  '"10"',
  '"-1"',
  'null',
  'true',
  '[]',
  '{}',
  '9007199254740993',
  '2147483648',
  '-0',
  '1E5',
  'NaN',
  'Infinity',
]
const fields = ['max_tokens', 'max_completion_tokens', 'n']

describeOneEngine(engine => {
  let hub: TestHub
  let shared: Person
  beforeAll(async () => {
    hub = await startTestHub(engine)
    shared = await hub.admin.addPerson(10_000_000)
  })
  afterAll(() => hub?.close())

  /** The body as text, since JSON.stringify would tidy what is to be tried. */
  const sendRaw = async (key: string, text: string) => {
    const response = await fetch(`${hub.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: text,
    })
    return { status: response.status, text: await response.text() }
  }
  const bodyWith = (extra: string) =>
    `{"model":"any:in=10;out=5","messages":[{"role":"user","content":"hi"}]${extra}}`

  it('R28 S30 numbers that overflow, are negative or are none: refused, or charged for what was answered', async () => {
    const sendAll = async (field: string) => {
      const person = await hub.admin.addPerson(100_000)
      let answered = 0
      for (const value of hostile) {
        const vector = `,"${field}":${value}`
        const seen = await sendRaw(person.key, bodyWith(vector))
        await hub.settled()
        const { balance, held } = await accountOf(hub.gateway, person.id)
        const amounts = (await chargesOf(hub.gateway, person.id)).map(each => each.amount)
        expect([vector, held, seen.status < 500]).toEqual([vector, 0, true])
        if (seen.status === 200) answered += 1
        const expected = Array.from({ length: answered }, () => 15)
        expect([vector, balance, amounts]).toEqual([vector, 100_000 - 15 * answered, expected])
      }
    }
    await Promise.all(fields.map(sendAll))
    await hub.audit()
  })

  it.each([
    ',"n":-1',
    ',"n":0.5',
    ',"n":1e308',
    ',"max_tokens":-1',
    ',"max_tokens":-9223372036854775808',
    ',"max_completion_tokens":-5',
  ])(
    'R28 S30 what would make a price negative or endless is refused with 400, and the vendor is not called: %s',
    async vector => {
      hub.upstream.forget()
      const seen = await sendRaw(shared.key, bodyWith(vector))
      expect([seen.status, faultIn(seen.text)]).toEqual([400, 'request_invalid'])
      expect(hub.upstream.served).toEqual([])
    },
  )

  it('R28 a key that decides the price may stand once, and in one spelling', async () => {
    for (const extra of [
      ',"model":"times:x"',
      ',"MODEL":"times:x"',
      ',"max_tokens":5,"max_tokens":500000',
      ',"N":500',
      ',"\\u006dodel":"times:x"',
    ]) {
      const seen = await sendRaw(shared.key, bodyWith(extra))
      expect([extra, seen.status, faultIn(seen.text)]).toEqual([extra, 400, 'request_ambiguous'])
    }
  })

  it('R28 any usage that a vendor can report is charged as a whole, positive number of points', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ prompt: fc.nat(100_000), output: fc.nat(400), stream: fc.boolean() }),
        async ({ prompt, output, stream }) => {
          const model = `any:in=${prompt};out=${output}`
          const seen = await hub.ask({ key: shared.key, model, stream })
          expect(seen.complete).toBe(true)
          await hub.settled()
          const charges = await chargesOf(hub.gateway, shared.id)
          const amounts = charges
            .filter(each => each.id === Number(seen.requestId))
            .map(each => each.amount)
          // Nothing at a price is rounded up to the smallest charge there is.
          expect(amounts).toEqual([Math.max(prompt + output, 1)])
        },
      ),
      {
        numRuns: 25,
        endOnFailure: true,
        examples: [true, false].map(stream => [{ prompt: 0, output: 0, stream }]),
      },
    )
    await hub.audit()
  })
})
