import { beforeAll, expect, it } from 'vitest'
import { frame, lastCharge, type RelayCall } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { openCall } from './callers.ts'

// Streams with tools that are sold by the call. The fake's meter counts each result that it sent, at the vendor's price:
// an image of https://developers.openai.com/api/docs/models/gpt-image-1, a search of
// https://platform.claude.com/docs/en/about-claude/pricing and of https://ai.google.dev/gemini-api/docs/pricing.

const hub = useRelayHub()
const usd = 500_000

type Sold = {
  name: string
  type: number
  model: string
  call: RelayCall
  opening: string
  /** One call of a tool that is finished, and one that is free. */
  result(at: number): string
  free: string
  text: string
  kind: string
  dollars: number
}

const responsesBody = (model: string, type: string) => ({
  ...{ model, input: 'x', stream: true, store: false, reasoning: { effort: 'none' } },
  tools: [{ type }],
})
const opened = frame({
  type: 'response.created',
  response: { id: 'resp_1', object: 'response', status: 'queued', output: [] },
})
const itemDone = (output_index: number, item: object) =>
  frame({ type: 'response.output_item.added', output_index, item }) +
  frame({ type: 'response.output_item.done', output_index, item })
const textDelta = frame({
  ...{ type: 'response.output_text.delta', item_id: 'm', output_index: 90, content_index: 0 },
  delta: 'THE END',
})
const image = { type: 'image_generation_call', status: 'completed', result: 'AAAA' }
const high = { quality: 'high', size: '1024x1024' }
const search = { type: 'web_search_call', status: 'completed' }
const claudeBlock = (index: number, content_block: object) =>
  frame({ type: 'content_block_start', index, content_block }) +
  frame({ type: 'content_block_stop', index })
const result = { type: 'web_search_tool_result', tool_use_id: 's' }
const claudeText =
  frame({ type: 'content_block_start', index: 9, content_block: { type: 'text', text: '' } }) +
  frame({ type: 'content_block_delta', index: 9, delta: { type: 'text_delta', text: 'THE END' } })
const claudeOpening = (model: string) =>
  frame({
    type: 'message_start',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model, content: [] },
      usage: { input_tokens: 9, output_tokens: 1 },
    },
  })
const geminiFrame = (more: object, text = 'a ') =>
  frame({ candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }] })

const messagesBody = (model: string) => ({
  ...{ model, max_tokens: 900, stream: true, messages: [{ role: 'user', content: 'x' }] },
  tools: [{ type: 'web_search_20250305', name: 'web_search' }],
})

const sold: Sold[] = [
  {
    ...{ name: 'images of Responses', type: 1, model: 'left-paints' },
    ...{ kind: 'image_generation:high-1024x1024', dollars: 0.167 },
    call: { path: '/v1/responses', body: responsesBody('left-paints', 'image_generation') },
    opening: opened,
    result: at => itemDone(at, { ...image, ...high, id: `ig_${at}` }),
    free: itemDone(80, { ...image, id: 'failed', status: 'failed', result: null }),
    text: textDelta,
  },
  {
    ...{ name: 'searches of Responses', type: 1, model: 'left-searches' },
    ...{ kind: 'web_search', dollars: 0.01 },
    call: { path: '/v1/responses', body: responsesBody('left-searches', 'web_search') },
    opening: opened,
    result: at => itemDone(at, { ...search, id: `ws_${at}`, action: { type: 'search' } }),
    free: itemDone(80, { ...search, id: 'opened', action: { type: 'open_page' } }),
    text: textDelta,
  },
  {
    ...{ name: 'searches of Responses, translated for a chat', type: 1, model: 'gpt-5-codex-left' },
    ...{ kind: 'web_search', dollars: 0.01 },
    call: {
      path: '/v1/chat/completions',
      body: {
        ...{ model: 'gpt-5-codex-left', stream: true },
        messages: [{ role: 'user', content: 'x' }],
      },
    },
    opening: opened,
    result: at => itemDone(at, { ...search, id: `ws_${at}`, action: { type: 'search' } }),
    free: itemDone(80, { ...search, id: 'opened', action: { type: 'open_page' } }),
    text:
      frame({
        ...{ type: 'response.output_item.added', output_index: 90 },
        item: { type: 'message', id: 'm', role: 'assistant', content: [] },
      }) + textDelta,
  },
  {
    ...{ name: 'searches of Claude', type: 14, model: 'left-claude' },
    ...{ kind: 'web_search', dollars: 0.01 },
    call: { path: '/v1/messages', body: messagesBody('left-claude') },
    opening: claudeOpening('left-claude'),
    result: at => claudeBlock(at, { ...result, content: [{ type: 'web_search_result' }] }),
    free: claudeBlock(8, { ...result, content: { type: 'web_search_tool_result_error' } }),
    text: claudeText,
  },
  {
    ...{ name: 'searches of Gemini', type: 25, model: 'gemini-3-left' },
    ...{ kind: 'web_search', dollars: 0.014 },
    call: {
      path: '/v1beta/models/gemini-3-left:streamGenerateContent?alt=sse',
      body: { contents: [{ parts: [{ text: 'x' }] }], tools: [{ googleSearch: {} }] },
    },
    opening: '',
    result: at => geminiFrame({ groundingMetadata: { webSearchQueries: queriesOf(at) } }),
    free: '',
    text: geminiFrame({}, 'THE END'),
  },
]
/** Each frame repeats the queries before it. */
const queriesOf = (at: number) => Array.from({ length: at + 1 }, (_, index) => `q${index}`)

beforeAll(async () => {
  for (const { type, model } of sold) await hub.addChannel(type, model)
})

const places = [0, 1, 3]
const cases = sold.flatMap(each => places.map(calls => [each.name, calls, each] as const))

const linesOf = ({ opening, result: resultOf, free, text }: Sold, calls: number): string =>
  opening + Array.from({ length: calls }, (_, at) => resultOf(at)).join('') + free + text

let lastId = 0
const expectSold = async ({ kind, dollars }: Sold, calls: number, finish: string) => {
  const charge = (await lastCharge(hub))!
  expect(charge.id).toBeGreaterThan(lastId)
  lastId = charge.id
  expect(charge).toMatchObject({ finish, estimated: true })
  expect((charge.usage.tools as unknown as Record<string, number>)?.[kind] ?? 0).toBe(calls)
  const points = charge.amount - calls * dollars * usd
  // They are the prompt, the text and reasoning that may be hidden.
  expect(points).toBeGreaterThan(0)
  expect(points).toBeLessThan(20_000)
}

it.each(cases)(
  'SEC-1 finished calls of tools are charged where no usage comes: %s, left after %i calls',
  { timeout: 15_000 },
  async (_, calls, each) => {
    await new Promise<void>((resolve, reject) => {
      hub.upstream.play(each.model, turn => {
        turn.response.writeHead(200, { 'content-type': 'text/event-stream' })
        turn.response.once('close', resolve)
        turn.response.write(linesOf(each, calls))
      })
      const headers = { 'x-goog-api-key': hub.key }
      const caller = openCall(
        hub,
        { call: { ...each.call, headers } },
        {
          onText: async seen => {
            if (seen.includes('THE END')) (await caller).leave()
          },
          onEnd: seen => reject(new Error(`the answer ended: ${seen.slice(-300)}`)),
        },
      )
      caller.catch(reject)
    })
    await expectSold(each, calls, 'caller-left')
  },
)

it.each(sold.map(each => [each.name, each] as const))(
  'finished calls of tools are charged where the vendor breaks off: %s',
  async (_, each) => {
    hub.upstream.play(each.model, turn => {
      turn.response.writeHead(200, { 'content-type': 'text/event-stream' })
      turn.response.write(linesOf(each, 2), () => setTimeout(() => turn.response.destroy(), 50))
    })
    const response = await hub.post(each.call.path, each.call.body)
    await response.text().catch(() => undefined)
    await expectSold(each, 2, 'upstream-broke')
  },
)

it('an image before any text is charged where the vendor breaks off', async () => {
  const [first] = sold
  hub.upstream.play(first!.model, turn => {
    turn.response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = first!.opening + first!.result(0)
    turn.response.write(text, () => setTimeout(() => turn.response.destroy(), 50))
  })
  const response = await hub.post(first!.call.path, first!.call.body)
  expect(await response.text().catch(() => '')).toContain('AAAA')
  await expectSold(first!, 1, 'upstream-broke')
})
