import { Fault } from '@hub/contract'
import type { TaskOutput } from '@hub/providers'
import type { App } from '../core/app.ts'
import type * as tasks from '../db/queries/tasks.ts'
import { openGuarded } from '../lib/http/fetch-guarded.ts'
import type { Abortable } from '../relay/context.ts'
import { findStoringChannel, storingKeyOf } from '../relay/references/owner.ts'
import { answerOf, bytesMax, safeHeaders } from '../relay/result-storage/answer.ts'
import { openAnswer } from '../relay/upstream/fetch-small.ts'
import { fetchRules } from '../relay/upstream/linked-files.ts'
import type { Answer } from '../relay/upstream/send.ts'
import { openContent } from './content.ts'
import { fileIn } from './files/answers.ts'
import { askVendor, outgoingOf, type VendorAccount } from './vendor-request.ts'

const locateTimeoutMs = 20_000

const passedHeaders = ['content-length', 'content-range', 'accept-ranges', 'last-modified', 'etag']
const defaultTypes = {
  video: 'video/mp4',
  image: 'image/png',
  audio: 'audio/mpeg',
  text: 'text/plain',
}

const headerOf = ({ headers }: Answer, name: string): string => String(headers[name] ?? '')

/** The head of an output for a caller. Throws where the answer is no file of a type that is passed on. */
export const headersOf = ({ kind }: TaskOutput, answer: Answer): string[] => {
  const type = headerOf(answer, 'content-type').toLowerCase()
  const isMedia = /^(video|image|audio)\//.test(type) && !type.startsWith('image/svg')
  const isUnknown = /^$|octet-stream/.test(type)
  if (answer.status !== 200 && answer.status !== 206) {
    answer.drop()
    throw new Fault('stored.unavailable', { detail: `result: ${answer.status}` })
  }
  if ((!isMedia && !isUnknown) || Number(headerOf(answer, 'content-length')) > bytesMax) {
    answer.drop()
    throw new Fault('stored.unavailable', { detail: `result: ${type.slice(0, 100)}` })
  }
  const passed = passedHeaders.flatMap(name => {
    const value = headerOf(answer, name)
    return value === '' ? [] : [name, value]
  })
  return ['content-type', isMedia ? type : defaultTypes[kind], ...passed, ...safeHeaders]
}

export type OpenedOutput = { answer: Answer; close(): void }
type OpenedPart = { row: tasks.TaskRow; output: TaskOutput; range?: string | undefined }

/** Opens an output at its vendor, or a part of it. */
export const openOutput = async (
  app: App,
  context: Abortable,
  { row, output, range }: OpenedPart,
): Promise<OpenedOutput> => {
  const headers: Readonly<Record<string, string>> =
    range !== undefined && /^bytes=[\d, -]{1,100}$/.test(range) ? { range } : {}
  if (!output.needsKey && output.reference === undefined)
    return openAddress(app, context, output.url, headers)
  const account = await accountOf(app, row)
  if (!account) throw new Fault('stored.unavailable')
  if (output.needsKey) return openWithKey(app, context, account, { url: output.url, headers })
  const { locate } = account.channel.provider.tasks!
  const request = locate!.request(output)
  const { fileIndex: index } = output
  if (index !== undefined) {
    const answer = await openAnswer(app, context, outgoingOf(app, account, request))
    return { answer: fileIn(answer, { field: request.fileField!, index }), close: () => undefined }
  }
  const { body } = await askVendor(app, account, request, { timeoutMs: locateTimeoutMs })
  const url = locate!.read(body)
  if (url === undefined) throw new Fault('stored.unavailable')
  return openAddress(app, context, url, headers)
}

type KeyedAddress = { url: string; headers: Readonly<Record<string, string>> }

/** Asks the channel's own address with its key. A redirect leads to a storage, which must not see the key. */
const openWithKey = async (
  app: App,
  context: Abortable,
  account: VendorAccount,
  { url, headers }: KeyedAddress,
): Promise<OpenedOutput> => {
  const { pathname, search } = new URL(url)
  const request = { method: 'GET' as const, path: pathname + search, headers }
  const answer = await openAnswer(app, context, outgoingOf(app, account, request))
  if (answer.status < 300 || answer.status >= 400) return { answer, close: () => undefined }
  answer.drop()
  return openAddress(app, context, headerOf(answer, 'location'), headers)
}

/** The account that has a task, also where its channel was disabled. Undefined: it is gone. */
export const accountOf = async (
  app: App,
  row: tasks.TaskRow,
): Promise<VendorAccount | undefined> => {
  const { channel } = await findStoringChannel(app, row.channel_id)
  const key = channel && storingKeyOf(channel, row.credential)
  if (!channel || !key) return undefined
  return { channel, credential: key.credential, model: openContent(app, row).upstreamModel }
}

const openAddress = async (
  app: App,
  context: Abortable,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<OpenedOutput> => {
  const controller = new AbortController()
  context.abort.onAbort = () => controller.abort()
  const { signal } = controller
  const opened = await openGuarded(url, { rules: fetchRules(app), signal, headers })
  context.abort.onAbort = undefined
  if (!opened.ok) throw new Fault('stored.unavailable', { detail: `result: ${opened.reason}` })
  const { response, close } = opened
  return { answer: answerOf(response.statusCode, response.headers, response.body), close }
}
