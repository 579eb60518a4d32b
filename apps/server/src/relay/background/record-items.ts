import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import { isResponseId, partsMax } from '../references/response-ids.ts'

type ItemOwner = Pick<
  vendorResponses.ResponseOwner,
  'user_id' | 'channel_id' | 'credential' | 'request_id'
>

/** Records the owner of items that an account stores, so that later requests may name them. */
export const recordItems = async (
  app: App,
  { user_id, channel_id, credential, request_id }: ItemOwner,
  ids: readonly string[],
): Promise<void> => {
  const common = { user_id, channel_id, credential, request_id, created_at: nowSeconds(app) }
  const usable = [...new Set(ids.filter(isResponseId))].slice(0, partsMax)
  await vendorResponses.addAll(
    app.callDb,
    usable.map(id => ({ id, ...common })),
  )
}

/** The ids of the items in a list of the vendor: https://developers.openai.com/api/reference/resources/conversations */
export const itemIdsIn = (body: Buffer): string[] => {
  const data = dataOf(body)
  if (!Array.isArray(data)) return []
  return data.flatMap(each => (typeof each?.id === 'string' ? [each.id as string] : []))
}

const dataOf = (body: Buffer): unknown => {
  try {
    return (JSON.parse(body.toString()) as { data?: unknown }).data
  } catch {
    return undefined
  }
}
