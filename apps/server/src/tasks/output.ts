import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import type * as tasks from '../db/queries/tasks.ts'
import type { RequestContext } from '../relay/context.ts'
import { observeBytes } from '../relay/response/bytes.ts'
import { writeStream } from '../relay/response/stream-writer.ts'
import { writeHead } from '../relay/response/write.ts'
import { checkSignature, signedQuery } from '../relay/result-storage/link.ts'
import { openContent, visibleState } from './content.ts'
import { openCopy } from './copies/serve.ts'
import { headersOf, openOutput } from './open-output.ts'

const subjectOf = (publicId: string, at: number): string => `task-output ${publicId} ${at}`

/** A query by which anyone can read one output until it expires, as players and browsers send no key. */
export const linkQuery = (app: App, { public_id }: tasks.TaskRow, at = 0): string =>
  `index=${at}&${signedQuery(app, subjectOf(public_id, at))}`

/** The output that a signed query names. Undefined: it has no signature. Throws where that is wrong or expired. */
export const readLink = (
  app: App,
  publicId: string,
  query: URLSearchParams,
): number | undefined => {
  if (query.get('signature') === null) return undefined
  const at = Number(query.get('index'))
  checkSignature(app, subjectOf(publicId, at), query)
  return at
}

type SentOutput = {
  at?: number
  /** An output that the vendor shows while it still works may be sent, too. */
  showsPreview?: boolean
}

/** An end that is decided shows nothing before its charge is durable. */
const isShown = (row: tasks.TaskRow, showsPreview: boolean): boolean =>
  visibleState(row) === 'completed' || (showsPreview && row.settlement === 'held')

/** Sends one output of a completed task from its copy, or as it arrives from the vendor's storage. */
export const sendOutput = async (
  app: App,
  context: RequestContext,
  row: tasks.TaskRow,
  { at = 0, showsPreview = false }: SentOutput = {},
): Promise<void> => {
  if (!isShown(row, showsPreview))
    throw new Fault('response.running', { hint: 'Ask for the content once the task is completed.' })
  const output = openContent(app, row).outputs[at]
  if (!output) throw new Fault('stored.unavailable')
  const { range } = context.request.headers
  const copy = await openCopy(app, context, { row, at, range })
  const opened = copy ?? (await openOutput(app, context, { row, output, range }))
  const { answer, close } = opened
  try {
    const headers = headersOf(output, answer)
    if (answer.status === 206) writeHead(context, 206, headers)
    const delivered = await writeStream(app, context, {
      answer,
      observer: observeBytes(),
      hooks: {
        headers,
        beforeEnd: () => undefined,
        faultOf: () => new Fault('upstream.broken'),
      },
    })
    if (!delivered.ok) throw delivered.fault
  } finally {
    close()
  }
}
