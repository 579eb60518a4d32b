/** The requests to each target, their rate, and the expected responses. */
export type Workload = {
  id: string
  title: string
  /** Bytes of the request body, about. */
  promptBytes: number
  connections: number
  /** Requests per second, sent whether or not answers are back; absent: as fast as answers come. */
  rate?: number
  stream?: 'burst' | 'paced' | 'idle'
  /** The key does not exist: 401 is the right response. */
  refused?: boolean
  /** The caller's dialect and the vendor's; absent: openai-chat, which passes through. */
  caller?: 'anthropic'
  vendor?: 'anthropic'
  /** Only gateways do it: the workload that passes through, whose cost is its measure. */
  against?: string
  seconds: number
}

/** The models of a vendor of each dialect. */
export const modelOf = ({ vendor }: Pick<Workload, 'vendor'>): string =>
  vendor ? 'bench-claude' : 'bench-model'

export const CHUNKS = 100
export const PACE_MS = 5

/** The chat of `chat-32`, whole and streamed, where caller and vendor are not both of openai-chat. */
function translations(): Workload[] {
  const whole = { promptBytes: 1500, connections: 32, seconds: 5 }
  const stream = { promptBytes: 1500, connections: 64, stream: 'burst', seconds: 5 } as const
  const caller = 'anthropic'
  const vendor = 'anthropic'
  const streamed = `, stream of ${CHUNKS} chunks`
  return [
    { ...whole, id: 'oa-whole', title: 'openai-chat to anthropic', vendor, against: 'chat-32' },
    {
      ...stream,
      id: 'oa-stream',
      title: `openai-chat to anthropic${streamed}`,
      vendor,
      against: 'stream-burst',
    },
    { ...whole, id: 'aa-whole', title: 'anthropic, passed through', caller, vendor },
    { ...stream, id: 'aa-stream', title: `anthropic, passed through${streamed}`, caller, vendor },
    { ...whole, id: 'ao-whole', title: 'anthropic to openai-chat', caller, against: 'aa-whole' },
    {
      ...stream,
      id: 'ao-stream',
      title: `anthropic to openai-chat${streamed}`,
      caller,
      against: 'aa-stream',
    },
  ]
}

/** Rates of a small installation: most of its calls meet an idle server. */
const quietChats = (): Workload[] =>
  [20, 50, 300].map(rate => ({
    id: `chat-${rate}`,
    title: `1.5 KB chat, fixed ${rate}/s`,
    promptBytes: 1500,
    connections: 16,
    rate,
    seconds: rate < 100 ? 15 : 5,
  }))

export const workloads: Workload[] = [
  {
    id: 'chat-32',
    title: '1.5 KB chat, 32 connections',
    promptBytes: 1500,
    connections: 32,
    seconds: 5,
  },
  {
    id: 'chat-256',
    title: '1.5 KB chat, 256 connections',
    promptBytes: 1500,
    connections: 256,
    seconds: 5,
  },
  {
    id: 'chat-5000',
    title: '1.5 KB chat, fixed 5,000/s',
    promptBytes: 1500,
    connections: 256,
    rate: 5000,
    seconds: 5,
  },
  ...quietChats(),
  {
    id: 'chat-1000',
    title: '1.5 KB chat, fixed 1,000/s',
    promptBytes: 1500,
    connections: 64,
    rate: 1000,
    seconds: 5,
  },
  {
    id: 'stream-burst',
    title: 'stream of 100 chunks, at once',
    promptBytes: 1500,
    connections: 64,
    stream: 'burst',
    seconds: 5,
  },
  {
    id: 'stream-paced',
    title: 'stream of 100 chunks, one per 5 ms',
    promptBytes: 1500,
    connections: 64,
    stream: 'paced',
    seconds: 5,
  },
  { id: 'prompt-200k', title: '200 KB prompt', promptBytes: 200_000, connections: 32, seconds: 5 },
  {
    id: 'refused',
    title: 'refused keys',
    promptBytes: 1500,
    connections: 256,
    refused: true,
    seconds: 5,
  },
  ...translations(),
]

const words = 'A gateway forwards what it is given and counts what it cost. '

export const requestBody = (workload: Workload): Buffer => {
  const { promptBytes, stream } = workload
  const content = words.repeat(Math.ceil(promptBytes / words.length)).slice(0, promptBytes - 120)
  const rest = stream ? { max_tokens: 400, stream: true } : { max_tokens: 400 }
  return Buffer.from(
    JSON.stringify({ model: modelOf(workload), messages: [{ role: 'user', content }], ...rest }),
  )
}

const ID = 'chatcmpl-bench0000000000000000000'
const head = { id: ID, created: 1763600000, model: 'bench-model' }
const usage = { prompt_tokens: 380, completion_tokens: CHUNKS, total_tokens: 380 + CHUNKS }

export const wholeAnswer = Buffer.from(
  JSON.stringify({
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: words.repeat(4), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
  }),
)

const frame = (value: object) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`)
const chunk = (delta: object, finish_reason: string | null) =>
  frame({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  })

/** The frames a caller must receive: content, a finish, [DONE]; no usage, since the request does not ask for it. */
const frames: Buffer[] = [
  ...Array.from({ length: CHUNKS - 1 }, (_, n) => chunk({ content: ` word${n}` }, null)),
  chunk({}, 'stop'),
]
const usageFrame = frame({ ...head, object: 'chat.completion.chunk', choices: [], usage })
const doneFrame = Buffer.from('data: [DONE]\n\n')

/** The vendor's response by dialect. A stream reports its usage if the request asks for it, or always. */
export type Answers = { whole: Buffer; frames: Buffer[]; framesWithUsage: Buffer[] }

const event = (value: { type: string }) =>
  Buffer.from(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`)

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
const anthropicAnswers = (): Answers => {
  const message = {
    id: 'msg_bench0000000000000000',
    type: 'message',
    role: 'assistant',
    model: modelOf({ vendor: 'anthropic' }),
  }
  const stop = { stop_reason: 'end_turn', stop_sequence: null }
  const counts = { input_tokens: usage.prompt_tokens, output_tokens: CHUNKS }
  const delta = (text: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  })
  const begun = { ...message, content: [], stop_reason: null, stop_sequence: null }
  const started = { ...begun, usage: { ...counts, output_tokens: 1 } }
  const block = { type: 'text', text: '' }
  const frames = [
    event({ type: 'message_start', ...{ message: started } }),
    event({ type: 'content_block_start', ...{ index: 0, content_block: block } }),
    ...Array.from({ length: CHUNKS - 1 }, (_, n) => event(delta(` word${n}`))),
    event({ type: 'content_block_stop', ...{ index: 0 } }),
    event({ type: 'message_delta', ...{ delta: stop, usage: { output_tokens: CHUNKS } } }),
    event({ type: 'message_stop' }),
  ]
  const content = [{ type: 'text', text: words.repeat(4) }]
  const whole = Buffer.from(JSON.stringify({ ...message, content, ...stop, usage: counts }))
  return { whole, frames, framesWithUsage: frames }
}

export const answers: Record<'openai-chat' | 'anthropic', Answers> = {
  'openai-chat': {
    whole: wholeAnswer,
    frames: [...frames, doneFrame],
    framesWithUsage: [...frames, usageFrame, doneFrame],
  },
  anthropic: anthropicAnswers(),
}

/** Passing through keeps the bytes; a translation keeps the text, the usage and the end. */
export const isRight = ({ caller, vendor, stream }: Workload, body: Buffer): boolean => {
  const { whole, frames } = answers[vendor ?? 'openai-chat']
  if (caller === vendor) return body.equals(stream ? Buffer.concat(frames) : whole)
  const text = body.toString()
  if (!stream) return text.includes(words.repeat(4)) && text.includes(`_tokens":${CHUNKS}`)
  const last = caller ? '"message_stop"}\n\n' : 'data: [DONE]\n\n'
  return text.split(' word').length === CHUNKS && text.endsWith(last)
}
