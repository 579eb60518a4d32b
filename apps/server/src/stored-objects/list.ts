import { Fault } from '@hub/contract'
import type { StoredObject } from '@hub/providers'
import { type App, nowSeconds } from '../core/app.ts'
import * as storedResources from '../db/queries/stored-resources.ts'
import type { AuthenticatedContext } from '../relay/context.ts'
import { openObject } from '../relay/local-responses/sealed-object.ts'
import { writeJson } from '../relay/response/write.ts'
import { presentBatch } from './batches/present.ts'
import { requireOwned } from './records.ts'
import type { ResourceHandler } from './resource-route.ts'

const limitMax = 1_000
const limitDefault = 100

/** Lists the caller's own objects as their vendors last showed them. */
export const listObjects: ResourceHandler = async (app, context, { route: { kind } }) => {
  const query = new URLSearchParams(context.query)
  const isMessages = kind === 'message-batches'
  const after = query.get(isMessages ? 'after_id' : 'after')
  const limit = readLimit(query.get('limit'))
  const rows = await storedResources.list(app.callDb, {
    userId: context.caller.userId,
    kind,
    purpose: query.get('purpose') ?? undefined,
    order: query.get('order') === 'asc' ? 'asc' : 'desc',
    after: after === null ? undefined : await requireOwned(app, context, kind, after),
    limit: limit + 1,
    now: nowSeconds(app),
  })
  const data = rows.slice(0, limit).map(each => presentObject(app, context, each))
  writeJson(context, {
    ...(!isMessages && { object: 'list' }),
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rows.length > limit,
  })
}

const presentObject = (
  app: App,
  context: AuthenticatedContext,
  row: storedResources.StoredResource,
): StoredObject => {
  const object = openObject(app, row)
  const isBatch = row.kind === 'batches' || row.kind === 'message-batches'
  if (!isBatch) return object
  return presentBatch(context, { kind: row.kind, isCharged: row.run_at === null }, object)
}

const readLimit = (text: string | null): number => {
  if (text === null) return limitDefault
  const limit = Number(text)
  if (Number.isSafeInteger(limit) && limit > 0) return Math.min(limit, limitMax)
  throw new Fault('request.invalid', { hint: `'limit' must be a number from 1 to ${limitMax}.` })
}
