import { randomBytes } from 'node:crypto'
import type { Json } from '../relay-hub.ts'
import { type FileVendor, refusal, type VendorAnswer, type VendorCall } from './vendor.ts'

type EndStatus = 'completed' | 'failed' | 'expired' | 'cancelled'
type LineOutcome = { prompt: number; output: number } | { error: true }

/** Batches by OpenAI's rules: https://developers.openai.com/api/reference/resources/batches */
export type VendorBatches = {
  /** Ends a batch with these answers, in the order of its lines. */
  finish(id: string, status: EndStatus, outcomes: LineOutcome[]): void
  refuse: boolean
  isDown: boolean
}

type Batch = { account: string; object: Json; lines: Json[] }

export const serveBatches = (vendor: FileVendor): VendorBatches => {
  const all = new Map<string, Batch>()
  const batches: VendorBatches = {
    refuse: false,
    isDown: false,
    finish: (id, status, outcomes) => finish(vendor, all.get(id)!, status, outcomes),
  }
  vendor.routes.push(call => {
    const [, id, action] = /^\/v1\/batches(?:\/([^/]+))?(?:\/(\w+))?$/.exec(call.path) ?? []
    if (batches.isDown && call.method === 'GET') return refusal(500, 'Broken')
    if (!call.path.startsWith('/v1/batches')) return undefined
    if (id === undefined) return create(vendor, batches, all, call)
    const batch = all.get(id)
    if (batch?.account !== call.account) return refusal(404, `No batch found with id '${id}'.`)
    if (action === 'cancel') batch.object.status = 'cancelling'
    return { json: batch.object }
  })
  return batches
}

const create = (
  vendor: FileVendor,
  batches: VendorBatches,
  all: Map<string, Batch>,
  call: VendorCall,
): VendorAnswer => {
  if (batches.refuse) return refusal(400, 'Too many batches.')
  const {
    input_file_id,
    endpoint,
    completion_window,
    metadata = null,
  } = JSON.parse(call.body.toString())
  const file = vendor.files.get(input_file_id)
  if (file?.account !== call.account || file.object.purpose !== 'batch')
    return refusal(400, 'Invalid input file.', 'input_file_id')
  if (completion_window !== '24h')
    return refusal(400, "Invalid 'completion_window'.", 'completion_window')
  const lines = file.content
    .toString()
    .trim()
    .split('\n')
    .map(each => JSON.parse(each))
  if (
    new Set(lines.map(each => each.body.model)).size !== 1 ||
    lines.some(each => each.url !== endpoint)
  )
    return refusal(400, 'mismatched_model')
  const now = Math.floor(Date.now() / 1_000)
  const object = {
    ...{
      id: `batch_${randomBytes(12).toString('hex')}`,
      object: 'batch',
      endpoint,
      errors: null,
      input_file_id,
    },
    ...{
      completion_window,
      status: 'validating',
      created_at: now,
      expires_at: now + 86_400,
      metadata,
    },
    request_counts: { total: lines.length, completed: 0, failed: 0 },
  }
  all.set(object.id, { account: call.account, object, lines })
  return { json: object }
}

const finish = (vendor: FileVendor, batch: Batch, status: EndStatus, outcomes: LineOutcome[]) => {
  const { object, account, lines } = batch
  const good: object[] = []
  const bad: object[] = []
  for (const [at, outcome] of outcomes.entries()) {
    const { custom_id = `request-${at}`, body = lines[0].body } = lines[at] ?? {}
    const line = { id: `batch_req_${at}`, custom_id, error: null }
    if ('error' in outcome)
      bad.push({
        ...line,
        response: {
          status_code: 400,
          body: { error: { message: 'no', type: 'invalid_request_error' } },
        },
      })
    else
      good.push({
        ...line,
        response: { status_code: 200, request_id: `r${at}`, body: answer(body.model, outcome) },
      })
  }
  const addFile = (filename: string, content: object[]) =>
    content.length === 0
      ? undefined
      : vendor.addFile(account, {
          filename,
          purpose: 'batch_output',
          content: Buffer.from(`${content.map(each => JSON.stringify(each)).join('\n')}\n`),
        }).id
  object.status = status
  object[`${status}_at`] = Math.floor(Date.now() / 1_000)
  if (status === 'failed')
    object.errors = { object: 'list', data: [{ code: 'x', message: 'no', line: 1, param: null }] }
  object.output_file_id = addFile('output.jsonl', good)
  object.error_file_id = addFile('errors.jsonl', bad)
  object.request_counts = { total: lines.length, completed: good.length, failed: bad.length }
  object.usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
}

const answer = (model: string, { prompt, output }: { prompt: number; output: number }) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output },
})
