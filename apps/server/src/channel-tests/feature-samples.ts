import type { CheckedFeature, CheckResult } from '@hub/contract'
import type { ChatAnswer, Part } from '@hub/dialects'

/** Why an answer does not show the feature. Null: it does. */
export type Judge = (checked: { answer: ChatAnswer; isStream: boolean }) => CheckResult['reason']

/** A red square of 64 × 64 pixels, because some vendors refuse smaller images. */
const redSquare =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItw/dMZxQi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLQTQDx3uY1cQAAAABJRU5ErkJggg=='

const ask = (content: unknown) => ({ messages: [{ role: 'user', content }] })

const partsOf = (answer: ChatAnswer): Part[] => answer.choices.flatMap(each => each.parts)

const textOf = (answer: ChatAnswer): string =>
  partsOf(answer)
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('')

const needsText: Judge = ({ answer }) => (textOf(answer).trim() === '' ? 'no_text' : null)

const schema = {
  type: 'object',
  properties: { sum: { type: 'integer' } },
  required: ['sum'],
  additionalProperties: false,
}

const hasSum = (text: string): boolean => {
  try {
    return Number.isInteger(JSON.parse(text).sum)
  } catch {
    return false
  }
}

const hasReasoning = (answer: ChatAnswer): boolean => {
  const { usage } = answer.reportedUsage ?? {}
  const counted = typeof usage === 'object' ? usage.reasoning : 0
  return counted > 0 || partsOf(answer).some(part => part.type === 'thinking')
}

/** The request of each feature in OpenAI's chat format, and how its answer shows that the model has the feature. */
export const featureSamples: Record<CheckedFeature, { body: object; judge: Judge }> = {
  chat: { body: ask('Answer with the word "hi".'), judge: needsText },
  stream: {
    body: { ...ask('Answer with the word "hi".'), stream: true },
    judge: checked => (checked.isStream ? needsText(checked) : 'not_streamed'),
  },
  tools: {
    body: {
      ...ask('What time is it in Paris? Use the tool.'),
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_time',
            description: 'Returns the current time of a city.',
            parameters: {
              type: 'object',
              properties: { city: { type: 'string' } },
              required: ['city'],
            },
          },
        },
      ],
    },
    judge: ({ answer }) =>
      partsOf(answer).some(part => part.type === 'tool-call' && part.name === 'get_time')
        ? null
        : 'no_tool_call',
  },
  images: {
    body: ask([
      { type: 'text', text: 'Which colour has this image? Answer with one English word.' },
      { type: 'image_url', image_url: { url: redSquare } },
    ]),
    judge: ({ answer }) => (/red/i.test(textOf(answer)) ? null : 'image_not_seen'),
  },
  json_schema: {
    body: {
      ...ask('What is 2 + 3? Answer as JSON with the field "sum".'),
      response_format: { type: 'json_schema', json_schema: { name: 'sum', strict: true, schema } },
    },
    judge: ({ answer }) => (hasSum(textOf(answer)) ? null : 'not_the_schema'),
  },
  reasoning: {
    body: { ...ask('Is 91 a prime number? Think first.'), reasoning_effort: 'low' },
    judge: ({ answer }) => (hasReasoning(answer) ? null : 'no_reasoning'),
  },
}
