import fc, { type Arbitrary } from 'fast-check'
import type { ChatRequest, Message, Part } from '../canon.ts'
import {
  functionTool,
  imagePart,
  redactedPart,
  signature,
  textPart,
  toolCallPart,
  toolsAndChoice,
} from '../generate/parts.ts'
import { base64, defined, list, maybe, name, record, sometimes, text } from '../generate/values.ts'

const file: Arbitrary<Part> = record(
  { type: 'media' },
  {
    mime: fc.constantFrom('application/pdf', 'text/csv', 'video/mp4', 'audio/wav', 'text/x-c'),
    base64: base64(),
    name: text(2),
  },
)

const toolResult: Arbitrary<Part> = record(
  { type: 'tool-result' },
  { id: name(), parts: fc.tuple(textPart(), imagePart()).map(parts => [...parts]) },
)

const callerPart: Arbitrary<Part> = fc
  .tuple(
    fc.oneof<Arbitrary<Part>[]>(textPart(), imagePart(), file, toolResult),
    sometimes(4, fc.constantFrom({}, { ttl: '1h' as const })),
  )
  .map(([part, cache]) => (cache ? { ...part, cache } : part))

const modelPart: Arbitrary<Part> = fc.oneof<Arbitrary<Part>[]>(
  textPart(),
  record({ type: 'thinking' }, { text: text(), signature: maybe(signature('converse')) }),
  redactedPart('converse'),
  toolCallPart('call_'),
)

const message: Arbitrary<Message> = fc.oneof<Arbitrary<Message>[]>(
  record({ role: 'assistant' }, { parts: list(1, 3, modelPart) }),
  record(
    {},
    {
      role: fc.constantFrom('user', 'system', 'developer', 'tool'),
      parts: list(1, 3, callerPart),
    },
  ),
)

const quarterSteps = (max: number) => fc.nat(max).map(number => number / 4)

/** Every kind of request that this dialect can express. */
export const requestArbitrary: Arbitrary<ChatRequest> = fc
  .tuple(
    toolsAndChoice(maybe(list(1, 3, functionTool()))),
    record(
      {},
      {
        model: fc.constantFrom(
          ...['us.amazon.nova-2-lite-v1:0', 'qwen.qwen3-x', 'arn:x', 'openai.gpt-oss-x'],
        ),
        messages: list(1, 5, message),
        outputMax: maybe(fc.nat(9_999)),
        temperature: maybe(quarterSteps(8)),
        topP: maybe(quarterSteps(4)),
        topK: maybe(fc.nat(99)),
        stop: maybe(list(1, 2, text(2))),
        reasoning: maybe(record({}, { effort: fc.constantFrom('low', 'high', 'none') })),
        format: maybe(fc.constant({ type: 'schema' as const, schema: { type: 'object' } })),
        tier: maybe(fc.constantFrom('default', 'flex', 'priority')),
        metadata: maybe(fc.tuple(name(), name()).map(([key, value]) => ({ [key]: value }))),
        cache: maybe(fc.constant({})),
      },
    ),
  )
  .map(([tools, request]) => defined({ ...request, ...tools }))
