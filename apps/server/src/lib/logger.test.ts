import { expect, it } from 'vitest'
import { makeLogger } from './logger.ts'

const makeLog = () => {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const log = makeLogger({
    level: 'info',
    monotonic: () => now,
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  return { log, lines, wait: (ms: number) => (now += ms) }
}

it('a line has an ISO time, the name of its level, the host and the version', () => {
  const { log, lines } = makeLog()
  log.warn('the disk is full')
  expect(lines).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      node: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      msg: 'the disk is full',
    },
  ])
})

it('an outage writes one line per kind and second, and says how many were left out', () => {
  const { log, lines, wait } = makeLog()
  const fail = (code: string) =>
    log.error({ err: Object.assign(new Error('no connection'), { code }), request: 7 }, 'failed')
  for (let n = 0; n < 1_000; n++) {
    fail('ECONNREFUSED')
    fail('ETIMEDOUT')
  }
  expect(lines).toHaveLength(2)
  wait(1_000)
  fail('ECONNREFUSED')
  expect(lines[2]).toMatchObject({ msg: 'failed', repeated: 999, request: 7 })
})

it('calls of the access log and different messages are all written', () => {
  const { log, lines } = makeLog()
  for (let request = 0; request < 10; request++) log.info({ request, outcome: 'ok' }, 'call')
  for (let n = 0; n < 10; n++) log.warn(`channel ${n} was disabled`)
  expect(lines).toHaveLength(20)
})

it('S13 no text in a logged field adds a line or a control character', () => {
  const written: string[] = []
  const destination = { write: (line: string) => void written.push(line) }
  const log = makeLogger({ level: 'info', monotonic: () => 0, destination })
  const text = 'a\r\n{"level":"fatal","msg":"forged"}\u001b[2J\u0000'
  log.error({ detail: text, err: new Error(text) }, text)
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(/^\{[^\p{Cc}]*\}\n$/u)
  expect(JSON.parse(written[0]!)).toMatchObject({ level: 'error', detail: text, msg: text })
})

it('credentials in a logged object are redacted', () => {
  const { log, lines } = makeLog()
  log.error({ err: new Error('failed'), password: 'p', nested: { key: 'k' } }, 'failed')
  expect(lines[0]).toMatchObject({ password: '[redacted]', nested: { key: '[redacted]' } })
})
