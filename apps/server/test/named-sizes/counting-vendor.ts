import type { Json } from '../relay-hub.ts'
import {
  type FileVendor,
  startFileVendor,
  type VendorAnswer,
  type VendorCall,
} from '../stored-objects/vendor.ts'

/** Tokens of everything else that a request of this test can name. */
export const namedTokens = 100_000
const names =
  /"conversation"|"prompt":\{|"item_reference"|example\.com\/a\.pdf|"web_search"|"web_search_options"|"file_search"/

/** A vendor that charges whatever a request names: a token for each byte of a file, and earlier responses whole. */
export type CountingVendor = FileVendor & {
  /** Tokens of the responses that it stores. */
  stored: Map<string, number>
}

/** The tokens of a conversation whose first request has `metadata.tokens`. */
const declaredTokens = (body: Json): number | undefined =>
  body.metadata?.tokens === undefined ? undefined : Number(body.metadata.tokens)

export const startCountingVendor = async (): Promise<CountingVendor> => {
  const vendor: CountingVendor = Object.assign(await startFileVendor(), { stored: new Map() })
  vendor.routes.push(call => answer(vendor, call))
  return vendor
}

const answer = (vendor: CountingVendor, call: VendorCall): VendorAnswer | undefined => {
  if (call.method === 'GET') return showResponse(vendor, call)
  if (call.method !== 'POST') return undefined
  if (call.path === '/v1/responses') return { json: respond(vendor, call) }
  if (call.path === '/v1/chat/completions') return { json: complete(vendor, call) }
  return undefined
}

/** Ten tokens are the text of the body. */
const tokensNamed = ({ files, stored }: CountingVendor, { body }: VendorCall): number => {
  const text = body.toString()
  const ids = [...text.matchAll(/"file_id":"([^"]+)"/g)].map(([, id]) => id!)
  const bytes = ids.reduce((sum, id) => sum + files.get(id)!.content.length, 0)
  const others = names.test(text) ? namedTokens : 0
  return 10 + bytes + others + (stored.get(JSON.parse(text).previous_response_id) ?? 0)
}

const respond = (vendor: CountingVendor, call: VendorCall): Json => {
  const { model, ...fields } = JSON.parse(call.body.toString())
  const id = `resp_${vendor.stored.size}_${call.account}`
  const input = declaredTokens(fields) ?? tokensNamed(vendor, call)
  vendor.stored.set(id, input + 10)
  const content = [{ type: 'output_text', text: 'Read.', annotations: [] }]
  return {
    ...{ id, object: 'response', status: 'completed', model },
    output: [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }],
    usage: { input_tokens: input, output_tokens: 10, total_tokens: input + 10 },
  }
}

const showResponse = ({ stored }: CountingVendor, call: VendorCall): VendorAnswer | undefined => {
  const id = call.path.replace('/v1/responses/', '')
  const tokens = stored.get(id)
  if (tokens === undefined) return undefined
  const usage = { input_tokens: tokens - 10, output_tokens: 10, total_tokens: tokens }
  return { json: { id, object: 'response', status: 'completed', output: [], usage } }
}

const complete = (vendor: CountingVendor, call: VendorCall): Json => {
  const { model } = JSON.parse(call.body.toString())
  const usage = { prompt_tokens: tokensNamed(vendor, call), completion_tokens: 10, total_tokens: 0 }
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, usage },
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Read.' }, finish_reason: 'stop' },
    ],
  }
}
