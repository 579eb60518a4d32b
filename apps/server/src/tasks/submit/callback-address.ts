import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { isFetchable } from '../../lib/http/fetch-guarded.ts'
import type { RequestContext } from '../../relay/context.ts'
import { originOf } from '../../relay/request/origin.ts'
import { fetchRules } from '../../relay/upstream/linked-files.ts'

/** The address that a caller wants to be called at the end of a task, and the origin of the addresses in the call. */
export type TaskCallback = { url: string; origin: string }

const urlMax = 2_000
const lookUpMs = 5_000

const contextOf = (id: number) => `tasks.callback_sealed:${id}`

export const sealCallback = (app: App, id: number, callback: TaskCallback): string =>
  app.seal.seal('task-callback', contextOf(id), JSON.stringify(callback))

export const openCallback = (app: App, id: number, sealed: string): TaskCallback =>
  JSON.parse(app.seal.open('task-callback', contextOf(id), sealed)) as TaskCallback

/** Reads the field of a request that names an address to call. Throws where the gateway would not call it. */
export const readCallback = async (
  app: App,
  context: RequestContext,
  name: string,
  value: unknown,
): Promise<TaskCallback | undefined> => {
  if (value === undefined || value === null || value === '') return undefined
  const isText = typeof value === 'string' && value.length <= urlMax
  if (!isText || !(await isCallable(app, value)))
    throw new Fault('request.invalid', {
      hint: `'${name}' must be an http or https address of a public host, at a usual port.`,
    })
  return { url: value, origin: originOf(context) }
}

const isCallable = async (app: App, url: string): Promise<boolean> => {
  try {
    return await isFetchable(url, fetchRules(app), AbortSignal.timeout(lookUpMs))
  } catch {
    return false
  }
}
