import { Fault } from '@hub/contract'
import { readObject } from '@hub/providers'
import * as storedResources from '../../../db/queries/stored-resources.ts'
import { openObject } from '../../../relay/local-responses/sealed-object.ts'
import { accountOf } from '../../../relay/references/account.ts'
import { writeJson } from '../../../relay/response/write.ts'
import { replaceStored, requireOwned } from '../../records.ts'
import type { ResourceHandler } from '../../resource-route.ts'
import { presentGeminiObject } from './present.ts'
import { sendForObject } from './send-request.ts'

/** Shows an object as its vendor has it now: a file is processed for a while before it can be used. */
export const showGeminiObject: ResourceHandler = async (
  app,
  context,
  { route: { kind }, id, pathSuffix },
) => {
  const row = await requireOwned(app, context, kind, id)
  const account = await accountOf(app, row)
  const { body } = await sendForObject(app, context, { row, account }, { pathSuffix })
  const shown = readObject(kind, body)
  if (shown?.id !== id) throw new Fault('upstream.invalid_response', { detail: `${kind}: no name` })
  const object = { ...openObject(app, row), ...shown }
  await replaceStored(app, row, object)
  writeJson(context, presentGeminiObject(object))
}

/** Deletes an object at its vendor, and then its record. */
export const removeGeminiObject: ResourceHandler = async (
  app,
  context,
  { route: { kind }, id, pathSuffix },
) => {
  const row = await requireOwned(app, context, kind, id)
  const account = await accountOf(app, row)
  await sendForObject(app, context, { row, account }, { pathSuffix })
  await storedResources.remove(app.callDb, id)
  writeJson(context, {})
}

export const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
