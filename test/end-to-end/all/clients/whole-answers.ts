import { type Call, proof, responseOf, thought, usage } from './answers.ts'
import type { Kind } from './stage.ts'
import type { Answer } from './vendor.ts'

// The responses of answers.ts without streaming, in the fields of the same documents.

const json = (value: object): Answer => ({
  headers: { 'content-type': 'application/json' },
  say: [JSON.stringify(value)],
})

const message = (content: object[], stop_reason: string) => ({
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-4-6',
  content,
  stop_reason,
  stop_sequence: null,
  usage: {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
  },
})

const completion = (message: object, finish_reason: string) => ({
  id: 'chatcmpl-123',
  object: 'chat.completion',
  created: 1_694_268_190,
  model: 'deepseek-v4',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }],
  usage: {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  },
})

const generated = (parts: object[]) => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
  usageMetadata: {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.output,
  },
  modelVersion: 'gemini-3-pro',
  responseId: 'mAitaLmkHPPlz7IPvtfUqQ4',
})

const calling: Record<Kind, (call: Call) => object> = {
  anthropic: ({ name, args }) =>
    message(
      [
        { type: 'thinking', thinking: thought, signature: proof },
        { type: 'tool_use', id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', name, input: args },
      ],
      'tool_use',
    ),
  'openai-chat': ({ name, args }) =>
    completion(
      {
        reasoning_content: thought,
        tool_calls: [
          {
            index: 0,
            id: 'call_abc123',
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          },
        ],
      },
      'tool_calls',
    ),
  'openai-responses': ({ name, args }) =>
    responseOf('completed', [
      {
        id: 'rs_6876cf02e0bc',
        type: 'reasoning',
        encrypted_content: proof,
        summary: [{ type: 'summary_text', text: thought }],
      },
      {
        id: 'fc_6876cf02e0bd',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_unLAR8MvFNptuiZK6K6HCy5k',
        name,
        arguments: JSON.stringify(args),
      },
    ]),
  gemini: ({ name, args }) =>
    generated([
      { text: thought, thought: true },
      { functionCall: { name, args }, thoughtSignature: proof },
    ]),
}

const saying: Record<Kind, (text: string) => object> = {
  anthropic: text => message([{ type: 'text', text }], 'end_turn'),
  'openai-chat': text => completion({ content: text }, 'stop'),
  'openai-responses': text =>
    responseOf('completed', [
      {
        id: 'msg_67c9fdcf37fc',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      },
    ]),
  gemini: text => generated([{ text }]),
}

export const wholeCalls = (kind: Kind, call: Call): Answer => json(calling[kind](call))
export const wholeAnswers = (kind: Kind, text: string): Answer => json(saying[kind](text))
