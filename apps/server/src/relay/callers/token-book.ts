import { hash } from 'node:crypto'
import { type LimitFields, TokenSetting } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import { perApp } from '../../core/per-app.ts'
import { findTokenFacts, listKeyHashes, type TokenFacts } from '../../db/queries/relay-tokens.ts'
import { coalesce } from '../../lib/coalesce.ts'
import { type AddressSet, makeAddressSet } from '../../lib/ip.ts'
import { makeLru } from '../../lib/lru.ts'
import { makeKeySet } from './key-set.ts'
import { limitsOf } from './limits.ts'

/** A token as the path uses it. Caches decide what to ask; the hold decides. */
export type KnownToken = {
  caller: Caller
  isUserEnabled: boolean
  isEnabled: boolean
  /** Seconds; -1 never. */
  expiresAt: number
  /** Undefined: any model. */
  models: ReadonlySet<string> | undefined
  /** Undefined: any address. */
  addresses: AddressSet | undefined
  /** Where the rate of its user and group is counted. */
  rateKey: string
  /** Requests per minute beside the group's; undefined: only the group's. */
  perMinute: number | undefined
  /** Undefined: none. */
  limits: LimitFields | undefined
}

export type TokenBook = {
  /** Without waiting, where the token was seen lately. */
  peek(key: string): KnownToken | undefined
  find(key: string): Promise<KnownToken | undefined>
}

const tokensMax = 100_000
const absentMax = 10_000
/** Database reads a second for keys whose hash is in no list: a key may have been made on another node just now. */
const guessesPerSecond = 20
const pageSize = 10_000
/** Ids are not committed in order: the newest are read again. */
const overlap = 1_000

export const tokenBook = perApp((app): TokenBook => {
  // By the key itself, and only of those that exist: a hash costs as much as all other questions of a call together.
  const tokens = makeLru<string, KnownToken>(tokensMax)
  const absent = makeLru<string, true>(absentMax)
  const asking = new Map<string, Promise<KnownToken | undefined>>()
  const hashes = makeHashes(app)
  const mayGuess = perSecond(app, guessesPerSecond)
  let generation = 0

  const forget = () => {
    generation++
    tokens.clear()
    absent.clear()
    asking.clear()
  }
  app.topics.on('users', forget)
  app.topics.on('tokens', () => {
    forget()
    return hashes.load()
  })

  const ask = async (key: string, keyHash: string) => {
    const asked = generation
    const facts = await findTokenFacts(app.db, keyHash)
    const known = facts && knownToken(facts)
    if (known) hashes.add(keyHash)
    if (asked !== generation) return known
    if (known) tokens.set(key, known)
    else absent.set(keyHash, true)
    return known
  }

  return {
    peek: key => tokens.get(key),
    find: async key => {
      const known = tokens.get(key)
      if (known) return known
      const keyHash = hash('sha256', key)
      if (absent.get(keyHash)) return undefined
      if (!hashes.isReady()) await hashes.load()
      // One question for all who show the same key: only new questions count against the guesses.
      const running = asking.get(keyHash)
      if (running) return running
      if (!hashes.has(keyHash) && !mayGuess()) return undefined
      const answer = ask(key, keyHash).finally(() => asking.delete(keyHash))
      asking.set(keyHash, answer)
      return answer
    },
  }
})

const makeHashes = (app: App) => {
  const keys = makeKeySet()
  let lastId = 0
  let isReady = false

  const load = coalesce(async () => {
    let after = Math.max(0, lastId - overlap)
    for (;;) {
      const rows = await listKeyHashes(app.db, after, pageSize)
      for (const { keyHash } of rows) keys.add(keyHash)
      after = rows.at(-1)?.id ?? after
      lastId = Math.max(lastId, after)
      if (rows.length < pageSize) break
    }
    isReady = true
  })
  return { has: keys.has, add: keys.add, isReady: () => isReady, load }
}

const perSecond = (app: App, limit: number) => {
  let second = 0
  let count = 0
  return () => {
    const now = Math.floor(app.monotonic() / 1_000)
    if (now !== second) count = 0
    second = now
    return ++count <= limit
  }
}

export const rateKeyOf = (userId: number, group: string): string => `relay:${userId}:${group}`

const knownToken = (facts: TokenFacts): KnownToken => {
  const setting = TokenSetting.parse(JSON.parse(facts.setting || '{}'))
  const { limit_model_setting: models, limits_ip_setting: addresses } = setting.limits
  return {
    caller: {
      userId: facts.userId,
      username: facts.username,
      role: facts.role,
      userGroup: facts.userGroup,
      tokenId: facts.tokenId,
      tokenName: facts.tokenName,
      group: facts.tokenGroup || facts.userGroup,
      setting,
    },
    isUserEnabled: facts.userStatus === 1,
    isEnabled: facts.tokenStatus === 1,
    expiresAt: facts.expiresAt,
    models: models.enabled ? new Set(models.models) : undefined,
    addresses:
      addresses.enabled && addresses.whitelist.length > 0
        ? makeAddressSet(addresses.whitelist)
        : undefined,
    rateKey: rateKeyOf(facts.userId, facts.tokenGroup || facts.userGroup),
    perMinute: facts.requestsPerMinute ?? undefined,
    limits: limitsOf(facts),
  }
}
