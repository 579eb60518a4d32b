import { invalid, type Refusal } from './openai-rules.ts'

type OperationBody = Record<string, unknown> & { model?: string }

/** Refuses a request for images, speech or a completion as OpenAI does. Other vendors' models are not its own. */
export const operationRefusal = (path: string, body: Buffer): Refusal | undefined => {
  const [, operation] = /\/(images\/generations|audio\/speech|completions)(\?|$)/.exec(path) ?? []
  if (operation === undefined || path.includes('/chat/')) return undefined
  return rules[operation]!(JSON.parse(body.toString()) as OperationBody)
}

const rules: Record<string, (body: OperationBody) => Refusal | undefined> = {
  // https://platform.openai.com/docs/api-reference/images/create; the wording was recorded (vercel/ai,
  // packages/openai/src/image/__fixtures__).
  'images/generations': ({ model = '', response_format, n = 1, stream }) => {
    if (/^gpt-image/.test(model) && response_format !== undefined)
      return invalid(
        "Unknown parameter: 'response_format'.",
        'response_format',
        'unknown_parameter',
      )
    if (/^dall-e/.test(model) && stream !== undefined)
      return invalid("Unknown parameter: 'stream'.", 'stream', 'unknown_parameter')
    if (model === 'dall-e-3' && n !== 1)
      return invalid('You must provide n=1 for this model.', 'n', 'invalid_value')
    return undefined
  },
  // https://platform.openai.com/docs/api-reference/audio/createSpeech
  'audio/speech': ({ model = '', voice, input, stream_format }) => {
    if (/^(tts-1|gpt-)/.test(model) && voice === undefined)
      return invalid("Missing required parameter: 'voice'.", 'voice', 'missing_required_parameter')
    if (/^tts-1/.test(model) && stream_format === 'sse')
      return invalid("'sse' is not supported for this model.", 'stream_format', 'invalid_value')
    if (typeof input === 'string' && input.length > 4_096)
      return invalid(
        'The input is longer than 4096 characters.',
        'input',
        'string_above_max_length',
      )
    return undefined
  },
  // https://platform.openai.com/docs/api-reference/completions/create
  completions: ({ stream, stream_options, n = 1, best_of }) => {
    if (stream_options !== undefined && stream !== true)
      return invalid(
        "'stream_options' is only allowed when 'stream' is enabled.",
        'stream_options',
        null,
      )
    if (typeof best_of === 'number' && best_of < (n as number))
      return invalid("'best_of' must be greater than 'n'.", 'best_of', null)
    return undefined
  },
}
