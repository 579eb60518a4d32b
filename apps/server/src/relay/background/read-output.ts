import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import type { BackgroundCallsTable } from '../../db/tables/responses.ts'

/** The output that a caller has read is written after so many further tokens, or this time. */
const writeEveryTokens = 512
const writeEveryMs = 2_000

type Reading = {
  tokens: number
  writtenTokens: number
  writtenAt: number
  /** The write that runs. */
  writing: Promise<void> | undefined
}

/** Output of background responses that callers read at this node, by the response's id. */
const readings = appScoped((): Map<string, Reading> => new Map())

/** Notes the output that a caller has read of a background response, here and, a little later, for the other nodes. */
export const noteRead = (app: App, responseId: string, tokens: number): void => {
  if (responseId === '' || tokens <= 0) return
  const now = app.monotonic()
  let reading = readings(app).get(responseId)
  if (!reading) {
    reading = { tokens: 0, writtenTokens: 0, writtenAt: now, writing: undefined }
    readings(app).set(responseId, reading)
  }
  reading.tokens = Math.max(reading.tokens, tokens)
  const { writtenTokens, writtenAt } = reading
  if (reading.tokens - writtenTokens >= writeEveryTokens || now - writtenAt > writeEveryMs)
    void write(app, responseId, reading)
}

/** The reader is gone: what he read is written. Until then it is known here. */
export const endRead = async (app: App, responseId: string): Promise<void> => {
  const reading = readings(app).get(responseId)
  if (!reading) return
  await reading.writing
  await write(app, responseId, reading)
  if (reading.writtenTokens >= reading.tokens) forgetRead(app, responseId)
}

export const forgetRead = (app: App, responseId: string): void => {
  readings(app).delete(responseId)
}

/**
 * The most output tokens that a caller has read of a background response. The row is read again: a caller may have
 * left since it was leased.
 */
export const readTokens = async (
  app: App,
  { answer_id, read_tokens }: Pick<BackgroundCallsTable, 'answer_id' | 'read_tokens'>,
): Promise<number> => {
  const latest = await backgroundCalls.findByAnswer(app.callDb, answer_id)
  const here = readings(app).get(answer_id)?.tokens ?? 0
  return Math.max(read_tokens ?? 0, latest?.read_tokens ?? 0, here)
}

const write = (app: App, responseId: string, reading: Reading): Promise<void> => {
  reading.writing ??= writeTokens(app, responseId, reading).finally(() => {
    reading.writing = undefined
  })
  return reading.writing
}

const writeTokens = async (app: App, responseId: string, reading: Reading): Promise<void> => {
  const { tokens } = reading
  try {
    await backgroundCalls.raiseRead(app.callDb, responseId, tokens)
    reading.writtenTokens = tokens
    reading.writtenAt = app.monotonic()
  } catch (error) {
    app.log.warn({ err: error, response: responseId }, 'what was read of a response is not written')
  }
}
