import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../harness/admin.ts'
import { textIn } from '../harness/frames.ts'
import { rawRequest } from '../harness/raw-http.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

// The gateway frames most of a stream itself: read here strictly, byte by byte, after
// https://www.rfc-editor.org/rfc/rfc9112#section-7.1

type Answer = { status: string; head: string; body: string }

/** Answers that came on one socket, one behind the other. */
const answersIn = (bytes: string): Answer[] => {
  const answers: Answer[] = []
  let at = 0
  const line = () => {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) throw new Error(`no line end behind byte ${at}`)
    const text = bytes.slice(at, end)
    at = end + 2
    return text
  }
  while (at < bytes.length) {
    const status = line()
    const headers: string[] = []
    for (let header = line(); header !== ''; header = line()) headers.push(header.toLowerCase())
    const head = headers.join('\n')
    let body = ''
    if (!head.includes('transfer-encoding: chunked')) {
      body = bytes.slice(at)
      at = bytes.length
    } else
      for (let size = -1; size !== 0; ) {
        const digits = line()
        expect(digits).toMatch(/^[0-9a-f]+$/)
        size = Number.parseInt(digits, 16)
        body += bytes.slice(at, at + size)
        at += size
        expect(line()).toBe('')
      }
    answers.push({ status, head, body })
  }
  return answers
}

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  beforeAll(async () => {
    hub = await startTestHub(engine)
    person = await hub.admin.addPerson(100_000_000)
  })
  afterAll(() => hub?.close())

  const request = (model: string, { version = '1.1', connection = 'close' } = {}): string => {
    const messages = [{ role: 'user', content: 'Say something.' }]
    const body = JSON.stringify({ model, stream: true, messages })
    const head = [
      `POST /v1/chat/completions HTTP/${version}`,
      'host: x',
      `authorization: Bearer ${person.key}`,
      'content-type: application/json',
      `connection: ${connection}`,
      `content-length: ${body.length}`,
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }
  const read = async (text: string): Promise<Answer[]> =>
    answersIn(await rawRequest(hub.gateway.url, text, 10_000))

  it.each([
    ['one by one', 'any:out=30;every=5'],
    ['all at once', 'any:out=300'],
    ['larger than what is joined', 'any:out=5;size=40000'],
    ['from a vendor that compresses', 'any:out=30;pack=gzip'],
  ])('a stream whose pieces come %s is framed right, to its last byte', async (_how, model) => {
    const [whole] = await read(request(model))
    const plain = await hub.ask({ key: person.key, model, stream: true })
    expect(whole?.status).toContain('200')
    expect(textIn(whole?.body ?? '')).toBe(textIn(plain.text))
    expect(textIn(plain.text)).not.toBe('')
    expect(whole?.body.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('callers who ask again before they are answered get one stream behind the other', async () => {
    const calls = [20, 21, 22].map(out =>
      request(`any:out=${out};every=3`, { connection: out === 22 ? 'close' : 'keep-alive' }),
    )
    const answers = await read(calls.join(''))
    expect(answers.map(each => each.body.match(/"content":"[^"]/g)?.length)).toEqual([20, 21, 22])
    for (const each of answers) expect(each.body.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('a caller of HTTP/1.0, who knows no chunks, gets the bare bytes and the end of the connection', async () => {
    const [whole] = await read(request('any:out=30;every=3', { version: '1.0' }))
    expect(whole?.head).not.toContain('transfer-encoding')
    expect(whole?.body).toMatch(/^(data: .*\n\n)+$/)
    expect(whole?.body.match(/"content":"[^"]/g)).toHaveLength(30)
    expect(whole?.body.endsWith('data: [DONE]\n\n')).toBe(true)
  })
})
