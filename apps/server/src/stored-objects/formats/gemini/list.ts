import { Fault } from '@hub/contract'
import { nowSeconds } from '../../../core/app.ts'
import * as storedResources from '../../../db/queries/stored-resources.ts'
import { openObject } from '../../../relay/local-responses/sealed-object.ts'
import { writeJson } from '../../../relay/response/write.ts'
import { requireOwned } from '../../records.ts'
import type { ResourceHandler } from '../../resource-route.ts'
import { presentGeminiObject } from './present.ts'

/** https://ai.google.dev/api/files#method:-files.list, https://ai.google.dev/api/caching#method:-cachedcontents.list */
const sizeMax = 1_000
const sizeDefault = 10

/** Lists the caller's own objects as their vendors last showed them. A page token is the name that the page begins behind. */
export const listGeminiObjects: ResourceHandler = async (app, context, { route: { kind } }) => {
  const query = new URLSearchParams(context.query)
  const after = query.get('pageToken') || undefined
  const size = readSize(query.get('pageSize'))
  const rows = await storedResources.list(app.callDb, {
    userId: context.caller.userId,
    kind,
    purpose: undefined,
    order: 'desc',
    after: after === undefined ? undefined : await requireOwned(app, context, kind, after),
    limit: size + 1,
    now: nowSeconds(app),
  })
  const page = rows.slice(0, size)
  const objects = page.map(each => presentGeminiObject(openObject(app, each)))
  writeJson(context, {
    ...(objects.length > 0 && { [kind === 'gemini-files' ? 'files' : 'cachedContents']: objects }),
    ...(rows.length > size && { nextPageToken: page.at(-1)?.id }),
  })
}

const readSize = (text: string | null): number => {
  const size = Number(text || sizeDefault)
  if (Number.isSafeInteger(size) && size >= 0) return Math.min(size || sizeDefault, sizeMax)
  throw new Fault('request.invalid', { hint: `'pageSize' must be a number from 1 to ${sizeMax}.` })
}
