import { setTimeout as sleep } from 'node:timers/promises'
import type { TestHub } from '../harness/test-hub.ts'
import { startStream } from '../upstream/dialects/chat.ts'
import { type Turn as Call, write } from '../upstream/turn.ts'
import type { Caller, ClientCall, ClientResponse, Endpoint, Feature, Mode, Vendor } from './cell.ts'
import { compareReceived, compareRequest } from './compare.ts'
import { comparableTurns, type Expected, movedTurns } from './expect.ts'
import { contains, withSampleMark } from './marks.ts'
import type { NeutralRequest, NeutralResponse } from './neutral.ts'

/** A cell in one of its modes. `model` is its own, so that vendor and log know it by name. */
export type CellRun = {
  feature: Feature
  caller: Caller
  vendor: Vendor
  mode: Mode
  model: string
  expected: Expected
  problems: string[]
  received?: ClientResponse
}

/** Longer than the gateway waits before it shows that it lives. */
const silenceMs = 1_300

const arrivalMs = 100

/** The hub of the grid, the mark of its installation, and every vendor that has a channel. */
export type MarkedHub = Pick<TestHub, 'upstream'> & { mark: string; vendors: readonly Vendor[] }

/** Asks what the feature asks and writes down what is not as it should be. */
export const performRun = async (
  hub: MarkedHub,
  endpoint: Endpoint,
  cellRun: CellRun,
): Promise<void> => {
  const got = answering(hub, cellRun)
  try {
    await (operations[cellRun.feature.operation ?? 'chat'] ?? chat)(endpoint, cellRun, got, hub)
  } catch (error) {
    cellRun.problems.push(`the client threw ${error instanceof Error ? error.message : error}`)
  }
}

/** The vendor answers the requests of this run in order. Returns the requests that it received. */
const answering = (
  { upstream, mark }: MarkedHub,
  { feature, vendor, model, expected, problems }: CellRun,
): NeutralRequest[] => {
  const got: NeutralRequest[] = []
  const answers = [expected.upstreamResponse, feature.next?.response ?? expected.upstreamResponse]
  upstream.play(model, async turn => {
    const response = answers[got.length] ?? {}
    const body = String(turn.served.body)
    if (contains(body, mark)) problems.push('the vendor got a mark of the gateway')
    got.push({ ...vendor.read(JSON.parse(body)), ...headersOf(feature, turn) })
    await answer(turn, vendor, response, feature)
  })
  return got
}

const headersOf = (
  { request: { headers } }: Feature,
  { served }: Call,
): Pick<NeutralRequest, 'headers'> => {
  if (!headers) return {}
  const found = Object.keys(headers).flatMap(name => {
    const value = served.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return found.length > 0 ? { headers: Object.fromEntries(found) } : {}
}

const answer = async (
  turn: Call,
  vendor: Vendor,
  content: NeutralResponse,
  { operation }: Feature,
) => {
  const { response, served } = turn
  const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  if (operation === 'count') return json(200, vendor.count(content.usage?.input ?? 0))
  if (content.refusal && !content.pieces) {
    const { body, headers } = vendor.refuse(content.refusal)
    return json(content.refusal.status, body, headers)
  }
  const isStream = turn.stream || served.path.includes(':stream')
  if (!isStream) return json(200, vendor.whole(content, served.model))
  startStream(turn)
  const frames = vendor.stream(content, served.model)
  for (const [at, frame] of frames.entries()) {
    const isLast = at === frames.length - 1
    if (isLast && operation === 'ping') await sleep(silenceMs)
    // The content must reach the caller before the stream breaks.
    if (isLast && content.refusal) await sleep(arrivalMs)
    await write(turn, frame)
  }
  response.end()
}

type Operation = (
  endpoint: Endpoint,
  cellRun: CellRun,
  got: NeutralRequest[],
  hub: MarkedHub,
) => Promise<void>

const clientCallOf = ({ feature, model, mode }: CellRun): ClientCall => ({
  model,
  stream: mode === 'stream',
  request: feature.request,
})

const chat: Operation = async (endpoint, cellRun, got, { mark }) => {
  const { feature, caller, expected, problems } = cellRun
  const clientCall = clientCallOf(cellRun)
  const received = await caller.clientCall(endpoint, clientCall)
  cellRun.received = received
  const isRefusedHere = expected.applied.some(each => each.how === 'refused')
  if (isRefusedHere) {
    if (got.length > 0) problems.push('the vendor was asked, though it must not have been')
  } else if (got[0]) problems.push(...compareRequest(expected.upstreamRequest, got[0]))
  else problems.push('the vendor was never asked')
  const { pieces } = received
  const seen = pieces ? { ...received, pieces: withSampleMark(pieces, mark) } : received
  problems.push(...compareReceived(expected.received, seen))
  if (
    feature.name === 'tool-pieces' &&
    (received.inputPieces ?? 0) < (expected.received.inputPieces ?? 6)
  )
    problems.push(`the arguments came in ${received.inputPieces} pieces`)
  if (!feature.next || !expected.nextUpstreamRequest || isRefusedHere) return
  const before = [{ request: feature.request, received }]
  const last = await caller.clientCall(endpoint, {
    ...clientCall,
    request: { turns: feature.next.turns },
    before,
  })
  if (got[1]) problems.push(...compareRequest(expected.nextUpstreamRequest, got[1]))
  else problems.push('the vendor was not asked again')
  problems.push(...compareReceived(feature.next.response, last).map(each => `next ${each}`))
}

/** After the chat, each other vendor gets the second turn, without marks and signatures. */
const move: Operation = async (endpoint, cellRun, got, hub) => {
  const { feature, caller, vendor, expected, problems } = cellRun
  await chat(endpoint, cellRun, got, hub)
  const { next } = feature
  if (!next || !cellRun.received) return
  for (const other of hub.vendors.filter(each => each !== vendor)) {
    const model = cellRun.model.replace(/^.*(?=-x)/, other.models.usual)
    let request: NeutralRequest | undefined
    hub.upstream.play(model, async turn => {
      const body = String(turn.served.body)
      if (contains(body, hub.mark)) problems.push(`${other.dialect} got a mark of the gateway`)
      request = other.read(JSON.parse(body))
      await answer(turn, other, next.response, feature)
    })
    const last = await caller.clientCall(endpoint, {
      ...{ model, stream: cellRun.mode === 'stream', request: { turns: next.turns } },
      before: [{ request: feature.request, received: cellRun.received }],
    })
    const seen = comparableTurns(request?.turns ?? [], other)
    const found = [
      ...compareRequest({ turns: movedTurns(expected, next.turns) }, { turns: seen }),
      ...compareReceived(next.response, last),
    ]
    problems.push(...found.map(each => `${other.dialect}: ${each}`))
  }
}

const withWrongKey: Operation = async ({ url }, cellRun) => {
  const { caller, expected, problems } = cellRun
  const received = await caller.clientCall({ url, key: 'sk-nobody' }, clientCallOf(cellRun))
  problems.push(...compareReceived(expected.received, received))
}

const withUnknownModel: Operation = async (endpoint, cellRun) => {
  const { caller, expected, problems } = cellRun
  const received = await caller.clientCall(endpoint, {
    ...clientCallOf(cellRun),
    model: 'a-model-of-nobody',
  })
  problems.push(...compareReceived(expected.received, received))
}

const models: Operation = async (endpoint, { caller, vendor, problems }) => {
  const names = (await caller.models?.(endpoint)) ?? []
  for (const name of Object.values(vendor.models))
    if (!names.includes(name)) problems.push(`the list has no ${name}, but ${names.join(', ')}`)
}

const count: Operation = async (endpoint, cellRun) => {
  const { caller, expected, problems } = cellRun
  const tokens = await caller.count?.(endpoint, clientCallOf(cellRun))
  const promised = expected.received.usage?.input
  // An estimate is as good as another.
  const isRight = promised === undefined ? (tokens ?? 0) > 0 : tokens === promised
  if (!isRight) problems.push(`counted ${tokens} in place of ${promised}`)
}

/** The client hides pings: the test reads the bytes of a second request. */
const ping: Operation = async (endpoint, cellRun, got, hub) => {
  const { caller, model, problems } = cellRun
  await chat(endpoint, cellRun, got, hub)
  if (!caller.ping) return
  const { pattern, path, body } = caller.ping
  const response = await fetch(`${endpoint.url}${path(model)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...{ authorization: `Bearer ${endpoint.key}`, 'x-goog-api-key': endpoint.key },
    },
    body: JSON.stringify(body(clientCallOf(cellRun))),
  })
  const text = await response.text()
  if (!pattern.test(text)) problems.push(`no sign of life in ${text.slice(0, 600)}`)
}

const operations: Readonly<Record<string, Operation>> = {
  chat,
  move,
  withWrongKey,
  withUnknownModel,
  models,
  count,
  ping,
}
