import { hash } from 'node:crypto'
import { Fault, type LimitFields, limitNames, pickLimits, TokenSetting } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { appScoped, cachedQuery } from '../../core/app-scoped.ts'
import type { Caller } from '../../core/call.ts'
import {
  findRelayToken,
  listChangedTokens,
  listKeyHashes,
  listRelayGroups,
  type RelayTokenRow,
} from '../../db/queries/relay-tokens.ts'
import { findVersion } from '../../db/queries/topics.ts'
import { type AddressSet, makeAddressSet } from '../../lib/ip.ts'
import { makeLru } from '../../lib/lru.ts'
import { singleflight } from '../../lib/singleflight.ts'
import { makeKeySet } from './key-set.ts'

/** A token in memory. It may be stale: the hold guards status, expiry and quota again. */
export type CachedToken = {
  caller: Caller
  isUserEnabled: boolean
  isEnabled: boolean
  /** Seconds since 1970; -1 never. */
  expiresAt: number
  /** Undefined: any model. */
  models: ReadonlySet<string> | undefined
  /** Undefined: any address. */
  addresses: AddressSet | undefined
  /** The key under which the request rate of its user and group is counted. */
  rateKey: string
  /** Requests per minute in addition to the group's limit; undefined: only the group's. */
  perMinute: number | undefined
  /** Undefined: none. */
  limits: LimitFields | undefined
  usesResponseCache: boolean
}

export type TokenCache = {
  /** Returns a token that was seen lately. */
  peek(key: string): CachedToken | undefined
  find(key: string): Promise<CachedToken | undefined>
}

const tokensMax = 100_000
const unknownMax = 10_000
/** Queries per second for keys whose hash is not listed here: another node may have created one just now. */
const unlistedPerSecond = 20
const pageSize = 10_000
/** Ids are not committed in order, so the newest are read again. */
const overlap = 1_000

export const tokenCache = appScoped((app): TokenCache => {
  // Existing tokens are cached by the key itself: a hash costs as much as the rest of admission together.
  const tokens = makeLru<string, CachedToken>(tokensMax)
  const unknown = makeLru<string, true>(unknownMax)
  const inFlight = new Map<string, Promise<CachedToken | undefined>>()
  const hashes = makeHashIndex(app)
  const mayQueryUnlisted = limitPerSecond(app, unlistedPerSecond)
  let generation = 0

  /** The version of the topic up to which changes were applied; undefined while nothing is cached. */
  let version: number | undefined

  const start = async () => {
    version ??= await findVersion(app.callDb, 'tokens')
    await hashes.load()
  }

  /** Drops the changed tokens only, so that nobody slows down other callers by changing tokens. */
  const applyChanges = async () => {
    if (version === undefined) return
    const changed = await listChangedTokens(app.callDb, version)
    // A query that is running now may have read the state before the change.
    generation++
    inFlight.clear()
    const ids = new Set(changed.map(each => each.id))
    tokens.deleteWhere(token => ids.has(token.caller.tokenId))
    for (const each of changed) {
      hashes.add(each.keyHash)
      unknown.delete(each.keyHash)
      version = Math.max(version, each.version ?? 0)
    }
  }
  app.changes.on('tokens', applyChanges)

  const query = async (key: string, keyHash: string) => {
    const startedIn = generation
    const row = await findRelayToken(app.callDb, keyHash)
    const token = row && makeCachedToken(row)
    if (token) hashes.add(keyHash)
    if (startedIn !== generation) return token
    if (token) tokens.set(key, token)
    else unknown.set(keyHash, true)
    return token
  }

  return {
    peek: key => tokens.get(key),
    find: async key => {
      const cached = tokens.get(key)
      if (cached) return cached
      const keyHash = hash('sha256', key)
      if (unknown.get(keyHash)) return undefined
      if (!hashes.isReady()) await start()
      // Requests with the same key share one query, so that only new keys count against the limit.
      const running = inFlight.get(keyHash)
      if (running) return running
      if (!hashes.has(keyHash) && !mayQueryUnlisted()) return undefined
      const result = query(key, keyHash).finally(() => inFlight.delete(keyHash))
      inFlight.set(keyHash, result)
      return result
    },
  }
})

/** The hashes of all keys, loaded page by page. */
const makeHashIndex = (app: App) => {
  const keys = makeKeySet()
  let lastId = 0
  let isReady = false

  const load = singleflight(async () => {
    let after = Math.max(0, lastId - overlap)
    for (;;) {
      const rows = await listKeyHashes(app.callDb, after, pageSize)
      for (const { keyHash } of rows) keys.add(keyHash)
      after = rows.at(-1)?.id ?? after
      lastId = Math.max(lastId, after)
      if (rows.length < pageSize) break
    }
    isReady = true
  })
  return { has: keys.has, add: keys.add, isReady: () => isReady, load }
}

const limitPerSecond = (app: App, limit: number) => {
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

export const makeCachedToken = (row: RelayTokenRow): CachedToken => {
  const setting = TokenSetting.parse(JSON.parse(row.setting || '{}'))
  const { limit_model_setting: models, limits_ip_setting: addresses } = setting.limits
  return {
    caller: {
      userId: row.userId,
      username: row.username,
      role: row.role,
      userGroup: row.userGroup,
      tokenId: row.tokenId,
      tokenName: row.tokenName,
      group: row.tokenGroup || row.userGroup,
      backupGroup: row.backupGroup ?? '',
      billingTag: row.billingTag ?? '',
      setting,
    },
    isUserEnabled: row.userStatus === 1,
    isEnabled: row.tokenStatus === 1,
    expiresAt: row.expiresAt,
    models: models.enabled ? new Set(models.models) : undefined,
    addresses:
      addresses.enabled && addresses.whitelist.length > 0
        ? makeAddressSet(addresses.whitelist)
        : undefined,
    rateKey: rateKeyOf(row.userId, row.tokenGroup || row.userGroup),
    perMinute: row.requestsPerMinute ?? undefined,
    limits: limitsOf(row),
    usesResponseCache: row.usesResponseCache === 1,
  }
}

/** The limits of a token or group; undefined where none is set, so that a call without limits checks one field. */
export const limitsOf = (fields: LimitFields): LimitFields | undefined =>
  limitNames.some(each => fields[each] !== null) ? pickLimits(fields) : undefined

export type RelayGroup = { perMinute: number; isPublic: boolean; limits: LimitFields | undefined }

/** The enabled groups by symbol, with the limits that hold for each of their users. */
export const groupCache = cachedQuery<ReadonlyMap<string, RelayGroup>>(['groups'], async app => {
  const groups = await listRelayGroups(app.callDb)
  return new Map(
    groups
      .filter(each => each.isEnabled === 1)
      .map(each => {
        const { symbol, requestsPerMinute, isPublic } = each
        const limits = limitsOf(each)
        return [symbol, { perMinute: requestsPerMinute, isPublic: isPublic === 1, limits }]
      }),
  )
})

/** The group of a token, if it is enabled and its owner may use it. */
export const requireGroup = (
  groups: ReadonlyMap<string, RelayGroup>,
  { group: symbol, userGroup }: Pick<Caller, 'group' | 'userGroup'>,
): RelayGroup => {
  const group = groups.get(symbol)
  if (group === undefined) throw new Fault('token.group')
  // The owner may have been moved out of the group since the token was made.
  if (!group.isPublic && symbol !== userGroup)
    throw new Fault('token.group', { hint: 'The group is private.' })
  return group
}
