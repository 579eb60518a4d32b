import { createHmac } from 'node:crypto'
import { type FakeService, isWellFormed, json, makeRate, parse, readMarkdown } from './service.ts'

const hourMs = 3_600_000
const host = 'hub.example'

/** https://core.telegram.org/bots/api#html-style: these tags, three named entities and numbers. */
export const parseTelegramHtml = (html: string): string | undefined => {
  const open: string[] = []
  let text = ''
  for (let at = 0; at < html.length; ) {
    const rest = html.slice(at)
    const tag = /^<(\/?)(b|i|u|s|code|pre|a)(?: href="([^"<>]*)")?>/.exec(rest)
    const entity = /^&(lt|gt|amp|quot|#\d{1,6});/.exec(rest)
    if (tag) {
      if (tag[1] === '/' && open.pop() !== tag[2]) return undefined
      if (tag[1] === '') open.push(tag[2]!)
      at += tag[0].length
    } else if (entity) {
      text += entity[1] === 'quot' ? '"' : entity[1]!.startsWith('#') ? "'" : '&'
      at += entity[0].length
    } else {
      if (rest[0] === '<' || rest[0] === '&' || rest[0] === '>') return undefined
      text += rest[0]
      at += 1
    }
  }
  return open.length === 0 ? text : undefined
}

const telegramError = (error_code: number, description: string, parameters?: object) =>
  json({ ok: false, error_code, description, ...(parameters && { parameters }) }, error_code)

export const telegram = (): FakeService => {
  const token = `12345:${'A'.repeat(35)}`
  // https://core.telegram.org/bots/faq: 20 messages a minute to one group.
  const withinRate = makeRate(20, 60_000)
  return {
    config: origin => ({
      bot_token: token,
      chat_id: '-1001',
      api_root: `${origin}/telegram`,
    }),
    faults: [
      telegramError(429, 'Too Many Requests: retry after 5', { retry_after: 5 }),
      telegramError(502, 'Bad Gateway'),
    ],
    limit: {
      answer: telegramError(429, 'Too Many Requests: retry after 95', { retry_after: 95 }),
      seconds: 95,
    },
    refusal: telegramError(403, 'Forbidden: bot was kicked from the group chat'),
    handle: ({ path, body, now }, accept) => {
      if (path !== `/telegram/bot${token}/sendMessage`) return telegramError(401, 'Unauthorized')
      const { chat_id, text, parse_mode } = parse(body)
      if (!withinRate(now))
        return telegramError(429, 'Too Many Requests: retry after 30', { retry_after: 30 })
      if (chat_id !== '-1001') return telegramError(400, 'Bad Request: chat not found')
      if (!isWellFormed(body)) return telegramError(400, 'Bad Request: strings must be UTF-8')
      const shown = parse_mode === 'HTML' ? parseTelegramHtml(String(text)) : undefined
      if (shown === undefined) return telegramError(400, "Bad Request: can't parse entities")
      if (shown.trim() === '') return telegramError(400, 'Bad Request: message text is empty')
      // https://core.telegram.org/bots/api#sendmessage: 4096 UTF-16 units after the entities are parsed.
      if (shown.length > 4096) return telegramError(400, 'Bad Request: message is too long')
      accept(shown)
      return json({ ok: true, result: { message_id: 1 } })
    },
  }
}

/** https://open.dingtalk.com/document/robots/custom-robot-access: errors are in a 200. */
export const dingtalk = (): FakeService => {
  const [token, secret] = ['d'.repeat(64), 'SECdingtalk']
  let withinRate = makeRate(20, 60_000)
  let blockedUntil = 0
  const error = (errcode: number, errmsg: string) => json({ errcode, errmsg })
  return {
    config: origin => ({
      access_token: token,
      secret,
      keyword: 'hub',
      api_root: `${origin}/dingtalk`,
    }),
    faults: [error(-1, 'system busy'), { status: 503, body: '<html>busy</html>' }],
    limit: { answer: error(130_101, 'send too fast, exceed 20 times per minute'), seconds: 600 },
    refusal: error(300_005, 'token is not exist'),
    handle: ({ path, query, body, now }, accept) => {
      if (path !== '/dingtalk/robot/send' || query.get('access_token') !== token)
        return error(300_005, 'token is not exist')
      const timestamp = query.get('timestamp')!
      const expected = createHmac('sha256', secret).update(`${timestamp}\n${secret}`)
      if (query.get('sign') !== expected.digest('base64')) return error(310_000, 'sign not match')
      if (Math.abs(now - Number(timestamp)) > hourMs) return error(310_000, 'invalid timestamp')
      if (Buffer.byteLength(body) > 20_000)
        return error(460_101, 'message too long, exceed 20000 bytes')
      // A robot that sends more than 20 a minute is blocked for 10 minutes.
      if (now < blockedUntil || !withinRate(now)) {
        if (now >= blockedUntil) blockedUntil = now + 600_000
        withinRate = makeRate(20, 60_000)
        return error(130_101, 'send too fast, exceed 20 times per minute')
      }
      const { msgtype, markdown } = parse(body) as {
        msgtype: string
        markdown: { title: string; text: string }
      }
      if (msgtype !== 'markdown' || !markdown.title || !markdown.text)
        return error(40_035, 'missing parameter')
      if (!markdown.text.includes('hub')) return error(310_000, 'keywords not in content')
      const shown = isWellFormed(body) ? readMarkdown(markdown.text, host) : undefined
      if (shown === undefined) return error(40_035, 'invalid markdown')
      accept(shown)
      return error(0, 'ok')
    },
  }
}

/** https://open.larksuite.com/document/client-docs/bot-v3/add-custom-bot */
export const lark = (): FakeService => {
  const [token, secret] = ['lark-token-0001', 'lark-secret']
  const perMinute = makeRate(100, 60_000)
  const perSecond = makeRate(5, 1000)
  const error = (code: number, msg: string) => json({ code, msg, data: {} })
  return {
    config: origin => ({ token, secret, keyword: '', api_root: `${origin}/lark` }),
    faults: [error(11_232, 'frequency limited'), error(2200, 'internal error')],
    limit: { answer: error(9499, 'too many request'), seconds: 60 },
    refusal: error(19_024, 'Key Words Not Found'),
    handle: ({ path, body, now }, accept) => {
      if (path !== `/lark/open-apis/bot/v2/hook/${token}`)
        return error(19_001, 'param invalid: incoming webhook access token invalid')
      if (Buffer.byteLength(body) > 20_000) return error(9499, 'Bad Request')
      if (!perMinute(now) || !perSecond(now)) return error(9499, 'too many request')
      const message = parse(body) as {
        timestamp: string
        sign: string
        msg_type: string
        card: {
          header: { title: { tag: string; content: string } }
          elements: {
            tag: string
            text?: { tag: string; content: string }
            actions?: { url: string }[]
          }[]
        }
      }
      const expected = createHmac('sha256', `${message.timestamp}\n${secret}`).digest('base64')
      const age = Math.abs(now / 1000 - Number(message.timestamp))
      if (message.sign !== expected || age > 3600)
        return error(
          19_021,
          'sign match fail or timestamp is not within one hour from current time',
        )
      const { header, elements } = message.card
      const [first, second] = elements
      const isCard =
        message.msg_type === 'interactive' &&
        header.title.tag === 'plain_text' &&
        first?.text?.tag === 'plain_text' &&
        (second === undefined || second.actions?.[0]?.url.startsWith(`https://${host}/`))
      if (!isCard || !isWellFormed(body)) return error(9499, 'Bad Request')
      accept(`${header.title.content}\n${first.text?.content}`)
      return error(0, 'success')
    },
  }
}

/** https://developer.work.weixin.qq.com/document/path/91770 */
export const wecom = (): FakeService => {
  const key = 'wecom-key-1234'
  const withinRate = makeRate(20, 60_000)
  const error = (errcode: number, errmsg: string) => json({ errcode, errmsg })
  return {
    config: origin => ({ key, api_root: `${origin}/wecom` }),
    faults: [error(-1, 'system busy'), error(45_009, 'api freq out of limit')],
    limit: { answer: error(45_009, 'api freq out of limit'), seconds: 60 },
    refusal: error(93_000, 'invalid webhook url'),
    handle: ({ path, query, body, now }, accept) => {
      if (path !== '/wecom/cgi-bin/webhook/send' || query.get('key') !== key)
        return error(93_000, 'invalid webhook url')
      if (!withinRate(now)) return error(45_009, 'api freq out of limit')
      const { msgtype, markdown } = parse(body) as {
        msgtype: string
        markdown: { content: string }
      }
      if (msgtype !== 'markdown' || !markdown.content) return error(40_008, 'invalid message type')
      if (Buffer.byteLength(markdown.content) > 4096)
        return error(40_058, 'markdown.content exceed max length 4096')
      const shown = isWellFormed(body) ? readMarkdown(markdown.content, host) : undefined
      if (shown === undefined) return error(40_058, 'invalid markdown')
      accept(shown)
      return error(0, 'ok')
    },
  }
}

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks: texts, not JSON, are the answers. */
export const slack = (): FakeService => {
  const withinRate = makeRate(1, 1000)
  const text = (status: number, body: string, headers = {}) => ({ status, body, headers })
  return {
    config: origin => ({ url: `${origin}/slack/services/T0/B0/secret` }),
    faults: [text(429, 'rate_limited', { 'retry-after': '3' }), text(500, 'rollup_error')],
    limit: { answer: text(429, 'rate_limited', { 'retry-after': '70' }), seconds: 70 },
    refusal: text(410, 'channel_is_archived'),
    handle: ({ path, body, now }, accept) => {
      if (path !== '/slack/services/T0/B0/secret') return text(404, 'no_service')
      if (!withinRate(now)) return text(429, 'rate_limited', { 'retry-after': '1' })
      const message = parse(body) as {
        text: string
        blocks: { type: string; text: { type: string; text: string } }[]
      }
      if (!message.text) return text(400, 'no_text')
      // Markup of mrkdwn: `<address|label>`, and the three entities.
      const isMrkdwn = (each: string) =>
        /^([^<>&]|&(amp|lt|gt);|<https:\/\/hub\.example\/[^<>|]*\|[^<>|]*>)*$/.test(each)
      const limits: Record<string, number> = { header: 150, section: 3000 }
      const fits = message.blocks.every(
        ({ type, text: each }) =>
          each.text.length > 0 &&
          each.text.length <= (limits[type] ?? 0) &&
          (each.type === 'plain_text' || isMrkdwn(each.text)),
      )
      if (!fits || !isMrkdwn(message.text) || !isWellFormed(body))
        return text(400, 'invalid_blocks')
      accept(message.blocks.map(each => each.text.text).join('\n'))
      return text(200, 'ok')
    },
  }
}

/** https://discord.com/developers/docs/topics/rate-limits and resources/message#embed-object-embed-limits */
export const discord = (): FakeService => {
  const perChannel = makeRate(30, 60_000)
  const burst = makeRate(5, 2000)
  const limitedFor = (retry_after: number) =>
    json({ message: 'You are being rate limited.', retry_after, global: false }, 429)
  const limited = limitedFor(1.2)
  const invalid = json({ message: 'Invalid Form Body', code: 50_035 }, 400)
  return {
    config: origin => ({ url: `${origin}/discord/api/webhooks/1/secret` }),
    faults: [limited, json({ message: '500: Internal Server Error', code: 0 }, 500)],
    limit: { answer: limitedFor(80.4), seconds: 80.4 },
    refusal: json({ message: 'Unknown Webhook', code: 10_015 }, 404),
    handle: ({ path, body, now }, accept) => {
      if (path !== '/discord/api/webhooks/1/secret')
        return json({ message: 'Unknown Webhook', code: 10_015 }, 404)
      if (!perChannel(now) || !burst(now)) return limited
      const message = parse(body) as {
        embeds: { title?: string; description?: string }[]
        allowed_mentions: { parse: string[] }
      }
      const [{ title = '', description = '' } = {}] = message.embeds
      if (title === '' && description === '')
        return json({ message: 'Cannot send an empty message', code: 50_006 }, 400)
      const fits = title.length <= 256 && description.length <= 4096
      const shown = readMarkdown(description, host)
      if (
        !fits ||
        shown === undefined ||
        !isWellFormed(body) ||
        message.allowed_mentions.parse.length > 0
      )
        return invalid
      accept(`${title}\n${shown}`)
      return { status: 204, body: '' }
    },
  }
}
