import { expect, it } from 'vitest'
import { makeLogger } from './logger.ts'
import { makeRecentLines } from './recent-lines.ts'

const makeLog = () => {
  const recent = makeRecentLines()
  let now = 0
  const log = makeLogger({
    level: 'debug',
    monotonic: () => (now += 1_000),
    destination: { write: (line: string) => recent.add(line) },
  })
  return { recent, log }
}

it('the newest 500 lines are listed, the oldest first', () => {
  const { recent, log } = makeLog()
  for (let n = 1; n <= 600; n++) log.info(`line ${n}`)
  expect(recent.list(500)).toHaveLength(500)
  expect(recent.list(3).map(each => each.text)).toEqual(['line 598', 'line 599', 'line 600'])
  expect(recent.list(500)[0]!.text).toBe('line 101')
})

it('a line has its level, error and fields', () => {
  const { recent, log } = makeLog()
  log.warn({ err: new Error('no connection'), channel: 7 }, 'the balance is unknown')
  expect(recent.list(1)).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-/),
      level: 'warn',
      text: 'the balance is unknown · no connection · channel=7',
    },
  ])
})

it('S37 no secret of a message or field is listed', () => {
  const { recent, log } = makeLog()
  const secret = 'aB3dE5gH7jK9mN1pQ3sT5'
  const texts = [
    `refused sk-${secret}`,
    `Authorization: Bearer ${secret}`,
    `GET https://vendor.example/v1?key=${secret}&alt=sse`,
    `proxy http://user:${secret}@proxy.example:80 is away`,
    `{"api_key":"${secret}"}`,
    `password=${secret}`,
    `AIza${secret}`,
  ]
  for (const text of texts) log.error({ detail: text, err: new Error(text) }, text)
  const listed = recent.list(500)
  expect(listed).toHaveLength(texts.length)
  expect(JSON.stringify(listed)).not.toContain(secret)
})

it.each(['upstream.failed', 'rate.requests_day', 'model_not_found', 'ECONNREFUSED', 'ERR_TLS'])(
  'the code %s of an error is listed',
  code => {
    const { recent, log } = makeLog()
    log.info({ channel: 3, code, detail: `code: '${code}'` }, 'a channel did not answer')
    expect(recent.list(1)[0]!.text).toBe(
      `a channel did not answer · channel=3 · code=${code} · detail=code: '${code}'`,
    )
  },
)

it.each(['4/0AY0e-g7xQ', 'abcdef0123456789', 'Xy.zAbCdEf', '482913'])(
  'S37 the code %s of a sign-in is not listed',
  code => {
    const { recent, log } = makeLog()
    log.info({ code, detail: `https://site.example/oauth?code=${code}&state=1` }, 'signed in')
    expect(recent.list(1)[0]!.text).not.toContain(code)
  },
)
