import { timingSafeEqual } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { App } from '../../../core/app.ts'
import { nowSeconds } from '../../../core/app.ts'
import { siteUrl } from '../../../core/site/address.ts'
import * as tasks from '../../../db/queries/tasks.ts'
import type { RequestContext } from '../../../relay/context.ts'
import { writeJson } from '../../../relay/response/write.ts'

const secretOf = (app: App, publicId: string): string =>
  app.seal.fingerprint('stored-object', `task-notice ${publicId}`)

/** The address by which the proxy reports that a task changed. Undefined: the operator wants no reports, or set no address. */
export const noticeAddress = (app: App, publicId: string): string | undefined => {
  if (!app.settings().midjourney.MjNotifyEnabled) return undefined
  const query = new URLSearchParams({ task: publicId, secret: secretOf(app, publicId) })
  return siteUrl(app, `/mj/notify?${query}`)
}

/** Makes the next poll of a task due. The body is not read: only a poll says what happened. */
export const receiveNotice = async (app: App, context: RequestContext): Promise<void> => {
  context.request.resume()
  const query = new URLSearchParams(context.query)
  const publicId = query.get('task') ?? ''
  const expected = Buffer.from(secretOf(app, publicId))
  const given = Buffer.from(query.get('secret') ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Fault('caller.unknown')
  const row = await tasks.findPublic(app.callDb, publicId)
  if (row) await tasks.wake(app.callDb, row.id, nowSeconds(app))
  writeJson(context, { code: 1, description: 'Received' })
}
