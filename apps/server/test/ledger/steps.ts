import { type Outcome, type UnboundedHold, unboundedHolds } from '../../src/db/operations.ts'
import type { ledgerModel } from './model.ts'

/** One operation on the money of one user. `id` is a new or old request, `token` one of the two tokens. */
export type Step =
  | { do: 'hold'; id: number; token: number; amount: number; unbounded: UnboundedHold | null }
  | { do: 'lost'; id: number; token: number; amount: number }
  | { do: 'settle'; id: number; token: number; amount: number }
  | { do: 'checkpoint'; id: number; accrued: number; want: number }
  | { do: 'giveBack' | 'recover'; id: number }
  | { do: 'gift'; source: string; amount: number }
  | { do: 'freeze' | 'enable'; token: number; on: boolean }
  | { do: 'cap'; token: number; cap: number }

/** Integers from 0 to below a bound, reproducible by seed (mulberry32). */
export type Random = (bound: number) => number

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  return bound => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

/** A simulated user: two tokens, the second with a cap, and the requests so far. */
export type SimulatedUser = {
  userId: number
  requests: { id: number; token: number }[]
  gifts: number
  cap: number
}

export const initialCap = 600

const makePlayer = (userId: number): SimulatedUser => ({
  userId,
  requests: [],
  gifts: 0,
  cap: initialCap,
})

export const tokenOf = (userId: number, token: number) => userId * 10 + token

const weights = [
  ...[...Array(6).fill('hold'), ...Array(5).fill('settle'), ...Array(3).fill('checkpoint')],
  ...['lost', 'giveBack', 'giveBack', 'recover', 'gift', 'freeze', 'enable', 'cap'],
] as Step['do'][]

/** Returns a random next step. It may refer to a request that ended long ago, which must have no effect. */
export const nextStep = (random: Random, player: SimulatedUser, nextId: () => number): Step => {
  const kind = weights[random(weights.length)] as Step['do']
  const amount = random(4) ? random(40) : random(400)
  const token = random(2)
  if (kind === 'hold' || kind === 'lost') {
    const id = nextId()
    player.requests.push({ id, token })
    if (kind === 'lost') return { do: kind, id, token, amount }
    const { alone, assumed } = unboundedHolds
    return { do: kind, id, token, amount, unbounded: [alone, assumed][random(8)] ?? null }
  }
  if (kind === 'gift') return { do: kind, ...giftFrom(random, player) }
  if (kind === 'cap') {
    player.cap += random(120)
    return { do: kind, token: 1, cap: player.cap }
  }
  // Mostly enabled, because otherwise most holds would be refused.
  if (kind === 'freeze') return { do: kind, token, on: random(4) === 0 }
  if (kind === 'enable') return { do: kind, token, on: random(4) > 0 }
  const back = random(8) ? random(6) : random(player.requests.length || 1)
  const known = player.requests.at(-1 - back)
  if (!known) return { do: 'gift', ...giftFrom(random, player) }
  if (kind === 'settle') return { do: kind, id: known.id, token: known.token, amount }
  if (kind === 'checkpoint')
    return { do: kind, id: known.id, accrued: amount, want: random(2) * random(200) }
  return { do: kind, id: known.id }
}

/** A grant or deduction by an administrator; one in three repeats an earlier source. */
const giftFrom = (random: Random, player: SimulatedUser) => {
  if (player.gifts === 0 || random(3)) player.gifts += 1
  const amount = random(4) ? 1 + random(800) : -1 - random(600)
  return { source: `${player.userId}:${player.gifts}`, amount }
}

/** Applies the step to the model and returns the expected outcome. */
export const applyToModel = (
  model: ReturnType<typeof ledgerModel>,
  player: SimulatedUser,
  step: Step,
): Outcome | 'posted' | 'known' | 'refused' | undefined => {
  const { userId } = player
  switch (step.do) {
    case 'hold':
      return model.hold(
        step.id,
        { userId, tokenId: tokenOf(userId, step.token) },
        step.amount,
        step.unbounded,
      )
    case 'lost':
    case 'settle':
      return model.settle(step.id, userId, tokenOf(userId, step.token), step.amount)
    case 'checkpoint':
      return model.checkpoint(step.id, step.accrued, step.want)
    case 'giveBack':
    case 'recover':
      return model[step.do](step.id)
    case 'gift':
      return model.gift(step.source, userId, step.amount)
    case 'freeze':
      model.accounts.get(userId)!.frozen = step.on
      return undefined
    case 'enable':
      model.tokens.get(tokenOf(userId, step.token))!.enabled = step.on
      return undefined
    case 'cap':
      model.tokens.get(tokenOf(userId, step.token))!.cap = step.cap
      return undefined
  }
}

/** Adds a user with 1,000 points and two tokens to the model. */
export const addSimulatedUser = (
  model: ReturnType<typeof ledgerModel>,
  userId: number,
): SimulatedUser => {
  model.accounts.set(userId, { balance: 0, held: 0, used: 0, requests: 0, frozen: false })
  for (const [token, cap] of [null, initialCap].entries())
    model.tokens.set(tokenOf(userId, token), { userId, enabled: true, cap, used: 0, held: 0 })
  model.gift(`first:${userId}`, userId, 1000)
  return makePlayer(userId)
}
