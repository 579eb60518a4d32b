import { inputTokens, outputTokens } from '@hub/dialects'
import { readReceipt } from '../../../billing/calls/read-receipt.ts'
import type { App } from '../../../core/app.ts'
import * as receipts from '../../../db/queries/receipts.ts'
import type { StoredResource } from '../../../db/queries/stored-resources.ts'
import type { ResponseOwner } from '../../../db/queries/vendor-responses.ts'
import type { RoutingTarget } from '../../context.ts'

/** Stored objects that a request names instead of containing them. */
type Named = {
  target: Pick<RoutingTarget, 'continues'>
  objects: readonly StoredResource[]
}

/**
 * The tokens that the vendor adds to the prompt for what the request names. A token has at least one byte, so that the
 * bytes of a file bound it.
 */
export const measureNamed = async (
  app: App,
  { target: { continues }, objects }: Named,
): Promise<number> => {
  const files = objects.reduce((sum, { size }) => sum + size, 0)
  return files + (continues ? await tokensOfResponse(app, continues) : 0)
}

/** The next call reads the prompt and the output of the response. */
const tokensOfResponse = async (app: App, { request_id }: ResponseOwner): Promise<number> => {
  const row = await receipts.find(app.callDb, request_id)
  const receipt = row && readReceipt(row.late_usage ?? row.usage)
  return receipt ? inputTokens(receipt.usage) + outputTokens(receipt.usage) : 0
}
