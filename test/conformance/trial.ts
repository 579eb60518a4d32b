import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../harness/world.ts'
import { startStream } from '../upstream/chat.ts'
import { type Turn as Call, write } from '../upstream/turn.ts'
import type { Ask, Caller, Door, Feature, Heard, Mode, Vendor } from './cell.ts'
import { compareAsked, compareHeard } from './compare.ts'
import type { Expected } from './expect.ts'
import type { Asks, Says } from './facts.ts'

/** A cell in one of its modes. `model` is its own, so that vendor and log know it by name. */
export type Trial = {
  feature: Feature
  caller: Caller
  vendor: Vendor
  mode: Mode
  model: string
  expected: Expected
  problems: string[]
  heard?: Heard
}

/** Longer than the gateway waits before it shows that it lives. */
const silenceMs = 1_300

const arrivalMs = 100

/** Asks what the feature asks and writes down what is not as it should be. */
export const converse = async (world: World, door: Door, trial: Trial): Promise<void> => {
  const got = answering(world, trial)
  try {
    await (doings[trial.feature.does ?? 'chat'] ?? chat)(door, trial, got)
  } catch (error) {
    trial.problems.push(`the client threw ${error instanceof Error ? error.message : error}`)
  }
}

/** The vendor answers this trial's requests in turn; the answer is what it was asked. */
const answering = ({ upstream }: World, { feature, vendor, model, expected }: Trial): Asks[] => {
  const got: Asks[] = []
  const answers = [expected.answered, feature.next?.says ?? expected.answered]
  upstream.play(model, async turn => {
    const says = answers[got.length] ?? {}
    got.push({ ...vendor.read(JSON.parse(String(turn.served.body))), ...headersOf(feature, turn) })
    await answer(turn, vendor, says, feature)
  })
  return got
}

const headersOf = ({ asks: { headers } }: Feature, { served }: Call): Pick<Asks, 'headers'> => {
  if (!headers) return {}
  const found = Object.keys(headers).flatMap(name => {
    const value = served.headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return found.length > 0 ? { headers: Object.fromEntries(found) } : {}
}

const answer = async (turn: Call, vendor: Vendor, says: Says, { does }: Feature) => {
  const { response, served } = turn
  const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  if (does === 'count') return json(200, vendor.count(says.usage?.input ?? 0))
  if (says.refusal && !says.pieces) {
    const { body, headers } = vendor.refuse(says.refusal)
    return json(says.refusal.status, body, headers)
  }
  const isStream = turn.stream || served.path.includes(':stream')
  if (!isStream) return json(200, vendor.whole(says, served.model))
  startStream(turn)
  const frames = vendor.stream(says, served.model)
  for (const [at, frame] of frames.entries()) {
    const isLast = at === frames.length - 1
    if (isLast && does === 'ping') await sleep(silenceMs)
    // What was said has reached the caller before it breaks.
    if (isLast && says.refusal) await sleep(arrivalMs)
    await write(turn, frame)
  }
  response.end()
}

type Doing = (door: Door, trial: Trial, got: Asks[]) => Promise<void>

const askOf = ({ feature, model, mode }: Trial): Ask => ({
  model,
  stream: mode === 'stream',
  asks: feature.asks,
})

const chat: Doing = async (door, trial, got) => {
  const { feature, caller, expected, problems } = trial
  const ask = askOf(trial)
  const heard = await caller.ask(door, ask)
  trial.heard = heard
  const isRefusedHere = expected.applied.some(each => each.how === 'refused')
  if (isRefusedHere) {
    if (got.length > 0) problems.push('the vendor was asked, though it must not have been')
  } else if (got[0]) problems.push(...compareAsked(expected.asked, got[0]))
  else problems.push('the vendor was never asked')
  problems.push(...compareHeard(expected.heard, heard))
  if (
    feature.name === 'tool-pieces' &&
    (heard.inputPieces ?? 0) < (expected.heard.inputPieces ?? 6)
  )
    problems.push(`the arguments came in ${heard.inputPieces} pieces`)
  if (!feature.next || !expected.askedNext || isRefusedHere) return
  const before = [{ asks: feature.asks, heard }]
  const last = await caller.ask(door, { ...ask, asks: { turns: feature.next.turns }, before })
  if (got[1]) problems.push(...compareAsked(expected.askedNext, got[1]))
  else problems.push('the vendor was not asked again')
  problems.push(...compareHeard(feature.next.says, last).map(each => `next ${each}`))
}

const stranger: Doing = async ({ url }, trial) => {
  const { caller, expected, problems } = trial
  const heard = await caller.ask({ url, key: 'sk-nobody' }, askOf(trial))
  problems.push(...compareHeard(expected.heard, heard))
}

const nobody: Doing = async (door, trial) => {
  const { caller, expected, problems } = trial
  const heard = await caller.ask(door, { ...askOf(trial), model: 'a-model-of-nobody' })
  problems.push(...compareHeard(expected.heard, heard))
}

const models: Doing = async (door, { caller, vendor, problems }) => {
  const names = (await caller.models?.(door)) ?? []
  for (const name of Object.values(vendor.models))
    if (!names.includes(name)) problems.push(`the list has no ${name}, but ${names.join(', ')}`)
}

const count: Doing = async (door, trial) => {
  const { caller, expected, problems } = trial
  const tokens = await caller.count?.(door, askOf(trial))
  const wanted = expected.heard.usage?.input
  // An estimate is as good as another.
  const isRight = wanted === undefined ? (tokens ?? 0) > 0 : tokens === wanted
  if (!isRight) problems.push(`counted ${tokens} in place of ${wanted}`)
}

/** The client shows no pings, so the bytes are read beside it. */
const ping: Doing = async (door, trial, got) => {
  const { caller, model, problems } = trial
  await chat(door, trial, got)
  if (!caller.ping) return
  const { pattern, path, body } = caller.ping
  const response = await fetch(`${door.url}${path(model)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...{ authorization: `Bearer ${door.key}`, 'x-goog-api-key': door.key },
    },
    body: JSON.stringify(body(askOf(trial))),
  })
  const text = await response.text()
  if (!pattern.test(text)) problems.push(`no sign of life in ${text.slice(0, 600)}`)
}

const doings: Readonly<Record<string, Doing>> = { chat, stranger, nobody, models, count, ping }
