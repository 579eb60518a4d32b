import { Fault } from '@hub/contract'
import { readObject } from '@hub/providers'
import { accountOf } from '../../relay/references/account.ts'
import { writeJson } from '../../relay/response/write.ts'
import { send, sendContent } from '../forward.ts'
import { requireOwned, updateStored } from '../records.ts'
import type { ResourceHandler } from '../resource-route.ts'
import { presentBatch } from './present.ts'

/** Reads or cancels a batch at its vendor. */
export const showBatch: ResourceHandler = async (
  app,
  context,
  { route: { kind }, id, pathSuffix },
) => {
  context.request.resume()
  const row = await requireOwned(app, context, kind, id)
  const answer = await send(app, context, await accountOf(app, row), { pathSuffix })
  const object = readObject(kind, answer.body)
  if (object?.id !== id) throw new Fault('upstream.invalid_response', { detail: 'another batch' })
  await updateStored(app, kind, object)
  const state = { kind, isCharged: row.run_at === null }
  writeJson(context, presentBatch(context, state, object))
}

/** Sends the results of a batch, once they are charged. */
export const sendResults: ResourceHandler = async (app, context, call, admission) => {
  const { run_at } = await requireOwned(app, context, call.route.kind, call.id)
  if (run_at !== null)
    throw new Fault('response.running', { hint: 'Ask for the results once the batch has ended.' })
  await sendContent(app, context, call, admission)
}
