import type { Play } from '../../../../test/upstream/start.ts'
import type { Turn } from '../../../../test/upstream/turn.ts'
import { answerJson, answerStream, type Json, receivedBody } from '../relay-hub.ts'

/** A vendor that knows what it issued, refuses the state of all others in its own words, and thinks in each turn. */
export type Vendor = {
  play: Play
  /** Signatures and encrypted reasoning that it issued. */
  issued: string[]
  /** Those that came back. */
  seen: Set<string>
  refusals: string[]
}

export const makeVendor = (name: string): Vendor => {
  const vendor: Vendor = { play: () => {}, issued: [], seen: new Set(), refusals: [] }
  vendor.play = turn => {
    const path = String(turn.served.path)
    const dialect = path.includes('/responses')
      ? responses
      : path.includes('/messages')
        ? anthropic
        : path.includes('GenerateContent') || path.includes('generateContent')
          ? gemini
          : path.includes('/converse')
            ? converse
            : chat
    const body = receivedBody(turn)
    const refusal = dialect.refuse(body, vendor)
    if (refusal) {
      vendor.refusals.push(`${name}: ${refusal}`)
      answerJson(turn, dialect.error(refusal), 400)
      return
    }
    const proof = Buffer.from(`${name} proof ${vendor.issued.length}`).toString('base64')
    vendor.issued.push(proof)
    dialect.answer(turn, { proof, number: vendor.issued.length, name }, body.stream === true)
  }
  return vendor
}

type IssuedState = { proof: string; number: number; name: string }
type VendorDialect = {
  refuse(body: Json, vendor: Vendor): string | undefined
  error(message: string): unknown
  answer(turn: Turn, facts: IssuedState, stream: boolean): void
}

const check = (proof: unknown, vendor: Vendor): boolean => {
  const isOwn = vendor.issued.includes(String(proof))
  if (isOwn) vendor.seen.add(String(proof))
  return isOwn
}

const openaiError = (message: string) => ({
  error: { message, type: 'invalid_request_error', param: 'input', code: codeOf(message) },
})

const codeOf = (message: string) =>
  message.startsWith('The encrypted content') ? 'invalid_encrypted_content' : null

const responses: VendorDialect = {
  // https://github.com/openai/codex/issues/8145, https://github.com/earendil-works/pi/issues/5059
  refuse: ({ input }, vendor) => {
    const ids = new Set(input.map((each: Json) => each.id))
    for (const item of Array.isArray(input) ? input : []) {
      const { type, id, encrypted_content } = item
      if (id !== undefined && !/_gpt_\d+$/.test(id))
        return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`
      if (type === 'reasoning' && !check(encrypted_content, vendor))
        return 'The encrypted content gAAA...Rg== could not be verified.'
      // https://github.com/omnigent-ai/omnigent/issues/5066
      const reasoning = id && type === 'function_call' ? id.replace('fc_', 'rs_') : undefined
      if (reasoning && !ids.has(reasoning))
        return `Item '${id}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoning}'.`
      if (String(item.call_id ?? '').length > 64) return 'call_id: string too long'
    }
    return undefined
  },
  error: openaiError,
  answer: (turn, { proof, number }, stream) => {
    const output = [
      {
        ...{ id: `rs_gpt_${number}`, type: 'reasoning', encrypted_content: proof },
        summary: [{ type: 'summary_text', text: 'Think.' }],
      },
      {
        ...{ id: `msg_gpt_${number}`, type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'Look.', annotations: [] }],
      },
      {
        ...{ id: `fc_gpt_${number}`, type: 'function_call', call_id: `call_gpt${number}` },
        ...{ name: 'look', arguments: '{}', status: 'completed' },
      },
    ]
    const response = {
      ...{ id: `resp_gpt_${number}`, object: 'response', model: 'gpt', status: 'completed' },
      ...{ output, usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 } },
    }
    if (!stream) return answerJson(turn, response)
    answerStream(turn, [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.flatMap((item, output_index) => [
        {
          type: 'response.output_item.added',
          output_index,
          item: { ...item, content: [], summary: [], arguments: '' },
        },
        ...(item.type === 'message'
          ? [
              {
                type: 'response.content_part.added',
                output_index,
                content_index: 0,
                item_id: item.id,
                part: { type: 'output_text', text: '', annotations: [] },
              },
              {
                type: 'response.output_text.delta',
                output_index,
                content_index: 0,
                item_id: item.id,
                delta: 'Look.',
              },
            ]
          : []),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response },
    ])
  },
}

/** "Expected a string with maximum length 40" https://github.com/microsoft/autogen/issues/6377 */
const chat: VendorDialect = {
  refuse: ({ messages }) => {
    const ids = messages.flatMap((each: Json) =>
      (each.tool_calls ?? []).map((call: Json) => call.id),
    )
    if (ids.some((each: string) => each.length > 40))
      return 'Expected a string with maximum length 40'
    return undefined
  },
  error: openaiError,
  answer: (turn, { name, number }, stream) => {
    // As Moonshot's: no other vendor accepts it.
    const id = name === 'deepseek' ? `functions.look:${number}` : `call_chat${number}`
    const call = { id, type: 'function', function: { name: 'look', arguments: '{}' } }
    const head = { id: `chatcmpl-${name}-${number}`, model: name, created: 1 }
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
    const message = { role: 'assistant', reasoning_content: 'Think.', content: 'Look.' }
    if (!stream)
      return answerJson(turn, {
        ...{ ...head, object: 'chat.completion', usage },
        choices: [
          { index: 0, finish_reason: 'tool_calls', message: { ...message, tool_calls: [call] } },
        ],
      })
    const chunk = (delta: Json, finish_reason: string | null = null) => ({
      ...{ ...head, object: 'chat.completion.chunk' },
      choices: [{ index: 0, delta, finish_reason }],
    })
    answerStream(turn, [
      chunk({ role: 'assistant', reasoning_content: 'Think.' }),
      chunk({ content: 'Look.' }),
      chunk({ tool_calls: [{ index: 0, ...call }] }),
      chunk({}, 'tool_calls'),
      { ...chunk({}), choices: [], usage },
    ])
  },
}

const anthropic: VendorDialect = {
  refuse: ({ messages, thinking }, vendor) => {
    for (const [at, { content }] of messages.entries())
      for (const [place, block] of (Array.isArray(content) ? content : []).entries()) {
        // https://github.com/ding113/claude-code-hub/issues/518
        if (block.type === 'thinking' && !check(block.signature, vendor))
          return `messages.${at}.content.${place}: Invalid \`signature\` in \`thinking\` block`
        if (block.type === 'redacted_thinking')
          return `messages.${at}.content.${place}: Invalid \`data\` in \`redacted_thinking\` block`
        if (block.citations?.some((each: Json) => !each.encrypted_index?.startsWith('own')))
          return 'Invalid `encrypted_index`'
        // https://github.com/maximhq/bifrost/issues/5097
        if (block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(block.id))
          return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
      }
    const last = messages.findLast((each: Json) => each.role === 'assistant')
    const isInLoop = messages.at(-1).content?.[0]?.type === 'tool_result'
    // https://github.com/lbjlaq/Antigravity-Manager/issues/139
    return thinking?.type === 'enabled' && isInLoop && last.content[0].type !== 'thinking'
      ? 'Expected `thinking` or `redacted_thinking`, but found `text`.'
      : undefined
  },
  error: message => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  answer: (turn, { proof, number, name }, stream) => {
    const head = { id: `msg_${name}${number}`, type: 'message', role: 'assistant', model: name }
    const usage = { input_tokens: 5, output_tokens: 2 }
    const call = { type: 'tool_use', id: `toolu_${name}${number}`, name: 'look', input: {} }
    const content = [
      { type: 'thinking', thinking: 'Think.', signature: proof },
      { type: 'text', text: 'Look.' },
      call,
    ]
    if (!stream) return answerJson(turn, { ...head, content, stop_reason: 'tool_use', usage })
    const block = (index: number, content_block: Json, deltas: Json[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
    answerStream(turn, [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
      ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
        { type: 'thinking_delta', thinking: 'Think.' },
        { type: 'signature_delta', signature: proof },
      ]),
      ...block(1, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Look.' }]),
      ...block(2, call, [{ type: 'input_json_delta', partial_json: '{}' }]),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
      { type: 'message_stop' },
    ])
  },
}

const gemini: VendorDialect = {
  refuse: ({ contents }, vendor) => {
    for (const { role, parts } of contents) {
      const first = parts.find((each: Json) => each.functionCall)
      // https://github.com/nanbingxyz/5ire/issues/405
      if (role === 'model' && first && !first.thoughtSignature)
        return 'Function call is missing a thought_signature in functionCall parts.'
      for (const { thoughtSignature: text } of parts)
        if (text && text !== 'skip_thought_signature_validator' && !check(text, vendor))
          return 'Corrupted thought signature.'
    }
    return undefined
  },
  error: message => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  answer: (turn, { proof, number }) => {
    const parts = [
      { text: 'Think.', thought: true },
      { text: 'Look.' },
      { functionCall: { name: 'look', args: {} }, thoughtSignature: proof },
    ]
    const whole = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
      ...{ modelVersion: 'gemini', responseId: `gem${number}` },
    }
    if (String(turn.served.path).includes('stream')) return answerStream(turn, [whole])
    answerJson(turn, whole)
  },
}

/** "Invalid signature in thinking block" https://github.com/linanwx/nagobot/issues/21 */
const converse: VendorDialect = {
  refuse: ({ messages }, vendor) => {
    for (const { content } of messages)
      for (const { reasoningContent: thought } of content)
        if (thought && !check(thought.reasoningText?.signature, vendor))
          return 'messages.1.content.0: Invalid signature in thinking block'
    return undefined
  },
  error: message => ({ message }),
  answer: (turn, { proof, number }) =>
    answerJson(turn, {
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Think.', signature: proof } } },
            { text: 'Look.' },
            { toolUse: { toolUseId: `tooluse_${number}`, name: 'look', input: {} } },
          ],
        },
      },
      ...{ stopReason: 'tool_use', usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 } },
    }),
}
