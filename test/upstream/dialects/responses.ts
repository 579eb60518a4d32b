import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { numberOf } from '../script.ts'
import { gone, type Turn, write } from '../turn.ts'
import { frame, pieceOf, startStream } from './chat.ts'

// The fake vendor with stored responses, in the fields of its documents:
// https://platform.openai.com/docs/api-reference/responses, https://platform.openai.com/docs/guides/background

type Item = { id: string; type: string; role: string; content: unknown[]; status?: string }
type StoredResponse = {
  /** The key that made it: to any other it does not exist. */
  account: string
  response: Record<string, unknown>
  input: Item[]
  events: string[]
  isCancelled: boolean
}

export type StoredResponses = Map<string, StoredResponse>

const id = (prefix: string) => `${prefix}_${randomBytes(24).toString('hex')}`

type CreateRequest = {
  input?: unknown
  store?: boolean
  background?: boolean
  previous_response_id?: string
  conversation?: string
}

const say = ({ response, served }: Turn, status: number, value: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
  served.complete = status === 200
}

const missing = (turn: Turn, message: string, status = 404, code: string | null = null): void =>
  say(turn, status, {
    error: { message, type: 'invalid_request_error', param: null, code },
  })

const find = (
  storedResponses: StoredResponses,
  turn: Turn,
  name: string,
): StoredResponse | undefined => {
  const kept = storedResponses.get(name)
  return kept?.account === turn.served.credential ? kept : undefined
}

const itemsOf = (input: unknown): Item[] => {
  const list = typeof input === 'string' ? [{ role: 'user', content: input }] : (input as Item[])
  return (list ?? []).map(each => ({
    id: id('msg'),
    type: 'message',
    role: each.role,
    content: [{ type: 'input_text', text: each.content }],
  }))
}

const usageOf = ({ served }: Turn) => ({
  input_tokens: served.promptTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: served.outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: served.promptTokens + served.outputTokens,
})

/** The text repeats all earlier turns, so that a test sees whether they were found. */
const textOf = (storedResponses: StoredResponses, turn: Turn, request: CreateRequest): string => {
  const before = request.previous_response_id
  const words = Array.from({ length: turn.served.outputTokens }, (_, at) => pieceOf(turn, at))
  const marks = before ? storedResponses.get(before)?.response.marks : undefined
  return `${marks ? `after ${marks}: ` : ''}${words.join('')}`
}

/** Makes an answer; in the background it takes `every=MS` for each piece. */
export const handleCreate = async (turn: Turn, storedResponses: StoredResponses): Promise<void> => {
  const request = JSON.parse(turn.served.body.toString()) as CreateRequest
  const before = request.previous_response_id
  if (before !== undefined && !find(storedResponses, turn, before))
    return missing(
      turn,
      `Previous response with id '${before}' not found.`,
      400,
      'previous_response_not_found',
    )
  const name = id('resp')
  const text = textOf(storedResponses, turn, request)
  const response: StoredResponse['response'] = {
    id: name,
    object: 'response',
    created_at: 1_741_476_542,
    status: request.background ? 'queued' : 'in_progress',
    background: request.background === true,
    error: null,
    incomplete_details: null,
    model: turn.served.model,
    output: [],
    previous_response_id: before ?? null,
    store: request.store !== false,
    usage: null,
    marks: name.slice(-6),
  }
  const kept: StoredResponse = {
    account: turn.served.credential,
    response,
    input: itemsOf(request.input),
    events: [],
    isCancelled: false,
  }
  const isForgetful = turn.script.has('forgets')
  if (!isForgetful && (request.store !== false || request.background))
    storedResponses.set(name, kept)
  const making = make(turn, kept, text)
  if (turn.stream) return follow(turn, kept, -1)
  if (!request.background) await making
  say(turn, 200, response)
}

const event = (kept: StoredResponse, type: string, fields: object): void => {
  const data = { type, sequence_number: kept.events.length, ...fields }
  kept.events.push(`event: ${type}\n${frame(data)}`)
}

const make = async (turn: Turn, kept: StoredResponse, text: string): Promise<void> => {
  const { response } = kept
  event(kept, 'response.created', { response: { ...response } })
  const item = { id: id('msg'), type: 'message', role: 'assistant', status: 'completed' }
  const part = { output_index: 0, item_id: item.id, content_index: 0 }
  event(kept, 'response.output_item.added', {
    output_index: 0,
    item: { ...item, status: 'in_progress', content: [] },
  })
  event(kept, 'response.content_part.added', {
    ...part,
    part: { type: 'output_text', text: '', annotations: [] },
  })
  const every = numberOf(turn.script, 'every', 0)
  const pieces = text.match(/.{1,8}/gs) ?? []
  for (const delta of pieces) {
    if (every > 0) await sleep(every)
    if (kept.isCancelled) break
    response.status = 'in_progress'
    event(kept, 'response.output_text.delta', { ...part, delta })
    turn.served.pieces += 1
  }
  complete(turn, kept, { ...item, content: [{ type: 'output_text', text, annotations: [] }] })
}

const complete = (turn: Turn, kept: StoredResponse, item: object): void => {
  const { response } = kept
  if (kept.isCancelled) response.status = 'cancelled'
  else if (turn.script.has('fails')) {
    response.status = 'failed'
    response.error = { code: 'server_error', message: 'The model failed.' }
  } else {
    response.status = 'completed'
    response.output = [item]
    response.usage = usageOf(turn)
    event(kept, 'response.output_item.done', { output_index: 0, item })
  }
  event(kept, `response.${response.status}`, { response: { ...response } })
}

/** The events from a place on, as they come; a stream ends with the answer. */
const follow = async (turn: Turn, kept: StoredResponse, after: number): Promise<void> => {
  startStream(turn)
  for (let at = after + 1; !gone(turn); ) {
    const next = kept.events[at]
    if (next === undefined) {
      if (!['queued', 'in_progress'].includes(String(kept.response.status))) break
      await sleep(5)
      continue
    }
    if (!(await write(turn, next))) return
    at += 1
  }
  turn.response.end()
  turn.served.complete = true
}

/** Handles requests for a stored response. */
export const handleStored = async (turn: Turn, storedResponses: StoredResponses): Promise<void> => {
  const url = new URL(turn.served.path, 'http://vendor.invalid')
  const [, name = '', action = ''] = /\/responses\/([^/]+)(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  const found = find(storedResponses, turn, name)
  if (!found) return missing(turn, `Response with id '${name}' not found.`)
  const { method } = turn.request
  if (method === 'DELETE') {
    storedResponses.delete(name)
    return say(turn, 200, { id: name, object: 'response', deleted: true })
  }
  if (action === 'input_items')
    return say(turn, 200, {
      object: 'list',
      data: found.input,
      first_id: found.input[0]?.id,
      last_id: found.input.at(-1)?.id,
      has_more: false,
    })
  if (action === 'cancel') {
    found.isCancelled = true
    if (['queued', 'in_progress'].includes(String(found.response.status)))
      found.response.status = 'cancelled'
    return say(turn, 200, found.response)
  }
  if (url.searchParams.get('stream') === 'true')
    return follow(turn, found, Number(url.searchParams.get('starting_after') ?? -1))
  say(turn, 200, found.response)
}

/** https://platform.openai.com/docs/api-reference/responses/compact */
export const handleCompact = async (
  turn: Turn,
  storedResponses: StoredResponses,
): Promise<void> => {
  const { previous_response_id: before } = JSON.parse(turn.served.body.toString()) as CreateRequest
  if (before !== undefined && !find(storedResponses, turn, before))
    return missing(turn, `Previous response with id '${before}' not found.`, 400)
  say(turn, 200, {
    id: id('resp'),
    object: 'response.compaction',
    created_at: 1_741_476_542,
    output: [{ id: id('cmp'), type: 'compaction', encrypted_content: 'gAAAAABpM0Yj' }],
    usage: usageOf(turn),
  })
}
