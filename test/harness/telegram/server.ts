import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../addresses/keep-alive.ts'
import { parseAsTelegram } from './parse.ts'

export type Sent = {
  method: string
  chat: number
  messageId: number
  /** As Telegram shows it. */
  text: string
  mode: string | undefined
  buttons: { text: string; callback_data?: string; url?: string }[]
  forceReply: boolean
}

type Answer = { status: number; body: object }
type Poll = { response: ServerResponse; offset: number; timer: NodeJS.Timeout }
type Button = Sent['buttons'][number]
/** The fields of the methods that the bot calls. Telegram takes them by any method, and ignores those it does not know. */
type Params = {
  offset?: number
  timeout?: number
  commands?: { command: string; description: string }[]
  scope?: { type: string }
  language_code?: string
  url?: string
  secret_token?: string
  chat_id?: number | string
  message_id?: number
  text?: string
  parse_mode?: string
  callback_query_id?: string
  reply_markup?: { inline_keyboard?: Button[][]; force_reply?: boolean }
}

const ok = (result: unknown): Answer => ({ status: 200, body: { ok: true, result } })
const failed = (code: number, description: string, parameters?: object): Answer => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
})
const badRequest = (text: string) => failed(400, `Bad Request: ${text}`)

export const botToken = '7000000001:AAFakeTokenForTestsOnly_0123456789abc'
const botId = 7000000001

/**
 * A Bot API server of one bot, in local mode, so that a webhook may be http.
 * https://core.telegram.org/bots/api and https://github.com/tdlib/telegram-bot-api for the texts of errors.
 */
export class FakeTelegram {
  readonly sent: Sent[] = []
  /** How often two polls were open at the same time. */
  conflicts = 0
  /** The next calls of `sendMessage` are refused with 429. */
  floods = 0
  /** Methods called, in their order. */
  readonly calls: string[] = []
  /** By scope and language. */
  readonly commands = new Map<string, { command: string; description: string }[]>()
  webhook: { url: string; secret: string } | undefined
  /** Statuses of the webhook's answers. */
  readonly deliveries: number[] = []
  readonly #server = createServer(
    keepAlive,
    (request, response) => void this.#serve(request, response),
  )
  #held: { method: string; taken: () => void; released: Promise<void> } | undefined
  readonly #chats = new Set<number>()
  readonly #queries = new Set<string>()
  #updates: { update_id: number }[] = []
  #poll: Poll | undefined
  #ids = 1000
  #delivering = false

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async start() {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  async close() {
    this.#endPoll(ok([]))
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  /** Updates that no poll has confirmed and no webhook has taken. */
  get pending() {
    return this.#updates.length
  }

  /**
   * Holds the next answer of this method back until `release`, as if the process of the bot were suspended meanwhile.
   * `taken` resolves when the answer is ready.
   */
  holdNext(method: string) {
    const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    this.#held = { method, taken: taken.resolve, released: released.promise }
    return { taken: taken.promise, release: released.resolve }
  }

  async #send(method: string, response: ServerResponse, { status, body }: Answer) {
    const held = this.#held
    if (held?.method === method) {
      this.#held = undefined
      held.taken()
      await held.released
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  /** A person writes to the bot. */
  say(from: object & { id: number }, text: string, more: { chat?: object; reply?: Sent } = {}) {
    const chat = { id: from.id, type: 'private', first_name: 'Person', ...more.chat }
    this.#chats.add(chat.id)
    const reply = more.reply && {
      reply_to_message: {
        ...{ message_id: more.reply.messageId, date: 1, chat, text: more.reply.text },
        from: { id: botId, is_bot: true, first_name: 'bot', username: 'hub_test_bot' },
      },
    }
    const sender = { is_bot: false, first_name: 'Person', ...from }
    this.#add({ message: { message_id: ++this.#ids, date: 1, chat, from: sender, text, ...reply } })
  }

  /** A person presses a button of a message. */
  press(from: object & { id: number }, message: Sent, text: string) {
    const data = message.buttons.find(button => button.text === text)?.callback_data
    const id = String(++this.#ids)
    this.#queries.add(id)
    const chat = { id: message.chat, type: 'private', first_name: 'Person' }
    const sender = { is_bot: false, first_name: 'Person', ...from }
    const seen = { message_id: message.messageId, date: 1, chat, text: message.text }
    this.#add({ callback_query: { id, from: sender, chat_instance: '1', data, message: seen } })
  }

  #add(update: object) {
    this.#updates.push({ update_id: ++this.#ids, ...update })
    if (this.webhook) void this.#deliver()
    else this.#answerPoll()
  }

  /** Sends one update at a time, and sends it again until it is answered with success. */
  async #deliver() {
    if (this.#delivering) return
    this.#delivering = true
    while (this.webhook && this.#updates[0]) {
      const { url, secret } = this.webhook
      const headers = {
        'content-type': 'application/json',
        'x-telegram-bot-api-secret-token': secret,
      }
      const body = JSON.stringify(this.#updates[0])
      const status = await fetch(url, { method: 'POST', headers, body }).then(
        each => each.status,
        () => 0,
      )
      this.deliveries.push(status)
      if (status >= 200 && status < 300) this.#updates.shift()
      else await new Promise(resolve => setTimeout(resolve, 50))
    }
    this.#delivering = false
  }

  async #serve(request: IncomingMessage, response: ServerResponse) {
    const chunks = await request.toArray()
    const body = Buffer.concat(chunks).toString()
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    this.calls.push(method)
    if (token !== botToken) return this.#send(method, response, failed(401, 'Unauthorized'))
    const params: Params = body ? JSON.parse(body) : {}
    if (method === 'getUpdates') return this.#getUpdates(params, response)
    const handlers: Record<string, () => Answer> = {
      getMe: () =>
        ok({ id: botId, is_bot: true, first_name: 'Hub test', username: 'hub_test_bot' }),
      setMyCommands: () => this.#setMyCommands(params),
      setWebhook: () => this.#setWebhook(params),
      deleteWebhook: () => {
        this.webhook = undefined
        return ok(true)
      },
      sendMessage: () => this.#sendMessage(params),
      editMessageText: () => this.#editMessageText(params),
      answerCallbackQuery: () =>
        this.#queries.delete(params.callback_query_id ?? '')
          ? ok(true)
          : badRequest('query is too old and response timeout expired or query ID is invalid'),
    }
    return this.#send(method, response, handlers[method]?.() ?? failed(404, 'Not Found'))
  }

  #getUpdates({ offset = 0, timeout = 0 }: Params, response: ServerResponse) {
    if (this.webhook)
      return this.#send(
        'getUpdates',
        response,
        failed(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        ),
      )
    if (this.#poll && !this.#poll.response.destroyed) {
      this.conflicts += 1
      this.#endPoll(
        failed(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        ),
      )
    }
    const timer = setTimeout(() => this.#endPoll(ok([])), timeout * 1000)
    const poll = { response, offset, timer }
    this.#poll = poll
    response.on('close', () => {
      if (this.#poll !== poll) return
      clearTimeout(timer)
      this.#poll = undefined
    })
    this.#answerPoll()
  }

  #answerPoll() {
    if (!this.#poll) return
    const { offset } = this.#poll
    this.#updates = this.#updates.filter(each => each.update_id >= offset)
    if (this.#updates.length > 0) this.#endPoll(ok(this.#updates))
  }

  #endPoll(answer: Answer) {
    const poll = this.#poll
    if (!poll) return
    this.#poll = undefined
    clearTimeout(poll.timer)
    void this.#send('getUpdates', poll.response, answer)
  }

  #setWebhook({ url = '', secret_token: secret = '' }: Params): Answer {
    if (!/^https?:\/\//.test(url))
      return badRequest('bad webhook: An HTTPS URL must be provided for webhook')
    if (!/^[\w-]{1,256}$/.test(secret))
      return badRequest('secret token contains unallowed characters')
    this.webhook = { url, secret }
    this.#endPoll(failed(409, 'Conflict: terminated by setWebhook request'))
    void this.#deliver()
    return ok(true)
  }

  /** https://core.telegram.org/bots/api#botcommand */
  #setMyCommands({ commands = [], scope, language_code = '' }: Params): Answer {
    if (commands.length > 100) return badRequest('too many commands')
    for (const { command, description } of commands) {
      if (!/^[a-z\d_]{1,32}$/.test(command)) return badRequest('BOT_COMMAND_INVALID')
      if (description.length < 1 || description.length > 256)
        return badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
    }
    if (language_code !== '' && !/^[a-z]{2}$/.test(language_code))
      return badRequest('invalid language code specified')
    this.commands.set(`${scope?.type ?? 'default'}:${language_code}`, commands)
    return ok(true)
  }

  #sendMessage(params: Params): Answer {
    if (this.floods > 0) {
      this.floods -= 1
      return failed(429, 'Too Many Requests: retry after 1', { retry_after: 1 })
    }
    const checked = checkText(params)
    if (typeof checked !== 'string') return checked
    // The server parses a text before it looks for the chat.
    const chat = Number(params.chat_id)
    if (chat === botId) return failed(403, "Forbidden: the bot can't send messages to itself")
    if (!this.#chats.has(chat)) return badRequest('chat not found')
    return this.#record('sendMessage', params, { chat, messageId: ++this.#ids, text: checked })
  }

  #editMessageText(params: Params): Answer {
    const checked = checkText(params)
    if (typeof checked !== 'string') return checked
    const [chat, messageId] = [Number(params.chat_id), Number(params.message_id)]
    const before = this.sent.findLast(each => each.messageId === messageId && each.chat === chat)
    if (!before) return badRequest('message to edit not found')
    if (before.text === checked) return badRequest('message is not modified')
    return this.#record('editMessageText', params, { chat, messageId, text: checked })
  }

  #record(method: string, params: Params, seen: Pick<Sent, 'chat' | 'messageId' | 'text'>): Answer {
    const markup = params.reply_markup
    const buttons = (markup?.inline_keyboard ?? []).flat()
    for (const { callback_data = '', url } of buttons) {
      if (Buffer.byteLength(callback_data) > 64) return badRequest('BUTTON_DATA_INVALID')
      if (url && !/^(https?:\/\/[^/]+\.|tg:)/.test(url)) return badRequest('Wrong HTTP URL')
    }
    const forceReply = markup?.force_reply === true
    this.sent.push({ method, ...seen, mode: params.parse_mode, buttons, forceReply })
    const chat = { id: seen.chat, type: 'private' }
    return ok({ message_id: seen.messageId, date: 1, chat, text: seen.text })
  }
}

/** Returns the text that is shown. A lone surrogate cannot be written in UTF-8. */
const checkText = ({ text = '', parse_mode }: Params): string | Answer => {
  if (!text.isWellFormed()) return badRequest('strings must be encoded in UTF-8')
  const parsed = parseAsTelegram(text, parse_mode)
  if (!parsed.ok) return badRequest(`can't parse entities: ${parsed.description}`)
  if (parsed.text.trim() === '') return badRequest('message text is empty')
  // In UTF-16 units, as all offsets: https://core.telegram.org/api/entities#entity-length
  if (parsed.text.length > 4096) return badRequest('message is too long')
  return parsed.text
}
