import { createHmac, timingSafeEqual } from 'node:crypto'
import { type FakeService, isWellFormed, json, parse, readMarkdown } from './service.ts'

const host = 'hub.example'

/** https://github.com/Finb/bark-server/blob/master/docs/API_V2.md; a push of Apple has 4,096 bytes. */
export const bark = (): FakeService => {
  const key = 'barkDeviceKey1'
  const error = (code: number, message: string) => json({ code, message, timestamp: 1 }, code)
  return {
    config: origin => ({ server: `${origin}/bark`, device_key: key }),
    faults: [error(500, 'push failed: connection reset')],
    refusal: error(400, 'failed to get device token: device token invalid'),
    handle: ({ path, body }, accept) => {
      const { device_key, title, body: text, url } = parse(body)
      if (path !== '/bark/push' || device_key !== key) return error(400, 'device key is not found')
      if (!text) return error(400, 'body is empty')
      const alert = { aps: { alert: { title, body: text } }, url }
      if (Buffer.byteLength(JSON.stringify(alert)) > 4096) return error(400, 'push failed: 413')
      if (!isWellFormed(body)) return error(400, 'request bind failed')
      accept(`${title}\n${text}`)
      return error(200, 'success')
    },
  }
}

/** https://sct.ftqq.com/sendkey: a title has 32 characters at most, and a text 32 kB. */
export const serverchan = (): FakeService => {
  const key = 'SCT1serverchan'
  const answer = (code: number, message: string, status = 200) =>
    json({ code, message, info: message, data: { errno: code, error: 'SUCCESS' } }, status)
  return {
    config: origin => ({ send_key: key, api_root: `${origin}/serverchan` }),
    faults: [{ status: 502, body: 'Bad Gateway' }],
    refusal: answer(40_001, '[AUTH]wrong key', 400),
    handle: ({ path, body }, accept) => {
      if (path !== `/serverchan/${key}.send`) return answer(40_001, '[AUTH]wrong key', 400)
      const { title, desp } = parse(body) as { title: string; desp: string }
      if (!title || title.length > 32) return answer(40_002, 'wrong title', 400)
      if (Buffer.byteLength(desp) > 32_768) return answer(40_003, 'too long', 400)
      const shown = isWellFormed(body) ? readMarkdown(desp, host) : undefined
      if (shown === undefined) return answer(40_004, 'invalid markdown', 400)
      accept(`${title}\n${shown}`)
      return answer(0, '')
    },
  }
}

/** https://github.com/easychen/pushdeer: errors are in a 200, and a wrong key has no receivers. */
export const pushdeer = (): FakeService => {
  const key = 'PDU1pushdeer'
  const error = (code: number, text: string) => json({ code, error: text })
  const sent = (result: string[]) => json({ code: 0, content: { result } })
  return {
    config: origin => ({ url: `${origin}/pushdeer`, push_key: key }),
    faults: [{ status: 500, body: 'Server Error' }],
    refusal: sent([]),
    handle: ({ path, body }, accept) => {
      const { pushkey, text, desp, type } = parse(body) as Record<string, string>
      if (path !== '/pushdeer/message/push' || !text)
        return error(80_501, 'The text field is required.')
      if (pushkey !== key) return sent([])
      const shown =
        type === 'markdown' && isWellFormed(body) ? readMarkdown(desp!, host) : undefined
      if (shown === undefined || Buffer.byteLength(desp!) > 65_535) return error(80_502, 'too long')
      accept(`${text}\n${shown}`)
      return sent(['{"counter":1,"logs":[],"success":"ok"}'])
    },
  }
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, also its 5 minutes. */
export const webhook = (): FakeService => {
  const key = Buffer.from('a secret of 24 to 64 byte')
  const secret = `whsec_${key.toString('base64')}`
  const seen = new Set<string>()
  return {
    config: origin => ({ url: `${origin}/webhook`, secret }),
    faults: [
      { status: 500, body: 'oops' },
      { status: 429, body: '', headers: { 'retry-after': '4' } },
    ],
    limit: { answer: { status: 503, body: '', headers: { 'retry-after': '75' } }, seconds: 75 },
    refusal: { status: 410, body: 'gone' },
    handle: ({ headers, body, now }, accept) => {
      const id = String(headers['webhook-id'])
      const timestamp = String(headers['webhook-timestamp'])
      if (Math.abs(now / 1000 - Number(timestamp)) > 300) return { status: 400, body: 'too old' }
      const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
      const given = Buffer.from(String(headers['webhook-signature']).replace(/^v1,/, ''), 'base64')
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        return { status: 401, body: 'wrong signature' }
      const {
        type,
        timestamp: at,
        data,
      } = parse(body) as {
        type: string
        timestamp: string
        data: { title: string; text: string }
      }
      if (!type || Number.isNaN(Date.parse(at)) || !isWellFormed(body))
        return { status: 400, body: 'invalid' }
      // The id is the receiver's key against repetitions.
      if (!seen.has(id)) accept(`${data.title}\n${data.text}`)
      seen.add(id)
      return { status: 200, body: '' }
    },
  }
}
