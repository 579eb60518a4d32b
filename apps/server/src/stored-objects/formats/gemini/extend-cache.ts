import { Fault } from '@hub/contract'
import { readObject, type StoredObject } from '@hub/providers'
import { nowSeconds } from '../../../core/app.ts'
import type { PaidStorage } from '../../../relay/local-responses/sealed-object.ts'
import { openObject } from '../../../relay/local-responses/sealed-object.ts'
import { accountOf } from '../../../relay/references/account.ts'
import { readBody } from '../../../relay/request/body.ts'
import { writeJson } from '../../../relay/response/write.ts'
import { replaceStored, requireOwned } from '../../records.ts'
import type { ResourceHandler } from '../../resource-route.ts'
import { readSeconds, storageUsage, withStorageHold } from './cache-storage.ts'
import { presentGeminiObject } from './present.ts'
import { sendForObject } from './send-request.ts'
import { parseJson } from './show.ts'

/** Changes how long a prompt is stored. Time that is not paid yet is charged; a shorter time gives nothing back. */
export const extendCache: ResourceHandler = async (
  app,
  context,
  { route: { kind }, id, pathSuffix },
  admission,
) => {
  const row = await requireOwned(app, context, kind, id)
  const account = await accountOf(app, row)
  const fields = parseJson(await readBody(app, context))
  if (typeof fields !== 'object' || fields === null) throw new Fault('request.unreadable')
  const seconds = readSeconds(app, fields)
  if (seconds === undefined)
    throw new Fault('request.invalid', { hint: "Only 'ttl' or 'expireTime' can be changed." })
  const object = openObject(app, row) as StoredObject & { storage: PaidStorage }
  const { storage } = object
  const paidUntil = Math.max(storage.paidUntil, nowSeconds(app) + seconds)
  const claimed = { ...object, storage: { ...storage, paidUntil } }
  const body = { type: 'application/json', content: Buffer.from(JSON.stringify(fields)) }

  const extend = async (): Promise<StoredObject> => {
    const claim = await replaceStored(app, row, claimed)
    // Two changes at once would both charge the time that they share.
    if (!claim) throw new Fault('request.in_progress', { retryAfterSeconds: 1 })
    try {
      const answer = await sendForObject(app, context, { row, account }, { pathSuffix, body })
      const shown = readObject(kind, answer.body)
      const extended = { ...claimed, ...(shown?.id === id && shown) }
      await replaceStored(app, claim, extended)
      return extended
    } catch (error) {
      await replaceStored(app, claim, object)
      throw error
    }
  }
  if (paidUntil === storage.paidUntil)
    return writeJson(context, presentGeminiObject(await extend()))
  const { tokens, model, billedModel } = storage
  const more = paidUntil - Math.max(storage.paidUntil, nowSeconds(app))
  const usage = storageUsage({ read: 0, tokens, seconds: more })
  const charge = { model, billedModel, channel: account.channel, usage, admission }
  await withStorageHold(app, context, charge, async () => {
    const extended = await extend()
    const answer = () => writeJson(context, presentGeminiObject(extended))
    return { usage, estimated: false, answer }
  })
}
