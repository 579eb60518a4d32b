import { type Answer, type Call, event } from './vendor.ts'

/** https://platform.openai.com/docs/api-reference/chat/object: usage as OpenAI and those that follow it report it. */
export type ChatUsage = Record<string, unknown> & { prompt_tokens: number }

const created = 1_790_000_000

/** A chat completion, whole or in pieces; `top` are the vendor's own fields next to `usage`. */
export const chatAnswer = (call: Call, usage: ChatUsage, top: object): Omit<Answer, 'lines'> => {
  const base = { id: `chatcmpl-${call.id}`, created, model: call.model }
  if (!call.streamed) {
    const message = { role: 'assistant', content: 'It is so.', refusal: null }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }]
    return { status: 200, body: { ...base, object: 'chat.completion', choices, usage, ...top } }
  }
  const chunk = (choices: unknown[], more: object = {}) =>
    event({ ...base, object: 'chat.completion.chunk', choices, ...top, ...more })
  const delta = (delta: object, finish: string | null = null) => [
    { index: 0, delta, finish_reason: finish },
  ]
  const wantsUsage = call.body.stream_options?.include_usage === true
  return {
    status: 200,
    frames: [
      chunk(delta({ role: 'assistant', content: '' })),
      chunk(delta({ content: 'It is ' })),
      chunk(delta({ content: 'so.' })),
      chunk(delta({}, 'stop')),
      ...(wantsUsage ? [chunk([], { usage })] : []),
      event('[DONE]'),
    ],
  }
}

/** https://platform.openai.com/docs/api-reference/responses: the final figures stand in the last event. */
export const responsesAnswer = (
  call: Call,
  usage: object,
  items: readonly object[],
  top: { service_tier?: string },
): Omit<Answer, 'lines'> => {
  const content = [{ type: 'output_text', text: 'It is so.', annotations: [] }]
  const message = {
    id: `msg_${call.id}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content,
  }
  const output = [...items, message]
  const whole = {
    id: `resp_${call.id}`,
    object: 'response',
    created_at: created,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: call.model,
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: call.body.tools ?? [],
    usage,
    ...top,
  }
  if (!call.streamed) return { status: 200, body: whole }
  const begun = {
    ...whole,
    status: 'in_progress',
    output: [],
    usage: null,
    // The first event repeats what was asked for; only the last one knows what served.
    ...(top.service_tier ? { service_tier: call.body.service_tier ?? 'auto' } : {}),
  }
  const at = output.length - 1
  const place = { item_id: message.id, output_index: at, content_index: 0 }
  const part = { type: 'output_text', text: '', annotations: [] }
  const events: ({ type: string } & Record<string, unknown>)[] = [
    { type: 'response.created', response: begun },
    ...items.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item },
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    {
      type: 'response.output_item.added',
      output_index: at,
      item: { ...message, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part },
    { type: 'response.output_text.delta', ...place, delta: 'It is so.' },
    { type: 'response.output_text.done', ...place, text: 'It is so.' },
    { type: 'response.content_part.done', ...place, part: content[0] },
    { type: 'response.output_item.done', output_index: at, item: message },
    { type: 'response.completed', response: whole },
  ]
  return {
    status: 200,
    frames: events.map((each, sequence_number) => event({ ...each, sequence_number }, each.type)),
  }
}
