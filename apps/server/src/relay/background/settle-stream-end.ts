import type { Dialect } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import { settleIfFinal } from './background.ts'
import { pollCall } from './poll-background.ts'

type StreamEnd = { responseId: string; dialect: Dialect; lastFrame: Buffer }

/** Charges a background call by the last frame of its stream, which holds the response, before the caller sees it. */
export const settleStreamEnd = async (
  app: App,
  { responseId, dialect, lastFrame }: StreamEnd,
): Promise<void> => {
  const row = await backgroundCalls.findByAnswer(app.callDb, responseId)
  if (!row) return
  try {
    const isSettled = await settleIfFinal(app, row, dialect, responseIn(lastFrame))
    if (!isSettled) await pollCall(app, row)
  } catch (error) {
    // The hold and its owner are durable, so the poller settles it later.
    app.log.warn({ err: error, request: row.request_id }, 'a background call is charged later')
  }
}

/** https://platform.openai.com/docs/api-reference/responses-streaming/response/completed */
const responseIn = (frame: Buffer): Buffer => {
  const line = frame
    .toString()
    .split(/\r?\n/)
    .find(each => each.startsWith('data:'))
  const data: unknown = line === undefined ? {} : JSON.parse(line.slice('data:'.length))
  return Buffer.from(JSON.stringify((data as { response?: unknown }).response ?? {}))
}
