import { bearer, defineProvider, secret, speak } from '../define.ts'
import { add, drop } from '../quirks.ts'
import { sigv4 } from '../sigv4.ts'

/** One Hub's names of Claude are Anthropic's; the vendor's have its own around them. */
const idOf = (model: string): string => {
  const [, place = '', name = ''] =
    /^((?:global|us|eu|apac)\.)?(claude-[\w-]+-\d{8})$/.exec(model) ?? []
  if (name === '') return model
  return `${place}anthropic.${name}-v${name === 'claude-3-5-sonnet-20241022' ? 2 : 1}:0`
}

// Address, API keys as Bearer: https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html
// The model is named in the path, so the body may not name it, and the version is a field instead of a header:
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
// Streams: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
// All other models, by their id, with or without the place before it, or by the ARN of an inference profile:
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
export default defineProvider({
  id: 'bedrock',
  name: 'Amazon Bedrock',
  type: 32,
  baseUrl: 'https://bedrock-runtime.{region}.amazonaws.com',
  blanks: ({ credential }) => ({ region: credential.split('|')[0] }),
  credential: secret()
    .regex(/^[\w-]+\|[^|]+(\|[^|]+(\|[^|]*)?)?$/)
    .meta({ secret: true, label: 'Region|AccessKeyID|SecretAccessKey' }),
  sign: (kit, credential, outgoing) => {
    const [region = '', id = '', key, token] = credential.split('|')
    if (!key || !outgoing) return bearer(kit, id)
    return sigv4('bedrock', { region, id, secret: key, token }, kit, outgoing)
  },
  serves: {
    chat: [
      speak(
        'anthropic',
        ({ model, stream }) => {
          const action = stream ? 'invoke-with-response-stream' : 'invoke'
          return `/model/${encodeURIComponent(idOf(model))}/${action}`
        },
        {
          only: /claude/,
          framing: 'aws-events',
          quirks: [drop(['model', 'stream']), add({ anthropic_version: 'bedrock-2023-05-31' })],
        },
      ),
      speak(
        'converse',
        ({ model, stream }) =>
          `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
        { framing: 'aws-events' },
      ),
    ],
  },
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors:
  // the model failed at the request, which another one may not.
  means: [
    { status: 424, fault: 'upstream.failed' },
    // A model that this account cannot call so, whoever asks.
    {
      status: 400,
      match: /model identifier is invalid|on-demand throughput isn.t supported/,
      fault: 'upstream.refused',
    },
  ],
  links: {
    site: 'https://aws.amazon.com/bedrock',
    keys: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    docs: 'https://docs.aws.amazon.com/bedrock/latest/userguide',
  },
  presets: [
    'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'global.anthropic.claude-haiku-4-5-20251001-v1:0',
    'global.amazon.nova-2-lite-v1:0',
    'us.amazon.nova-pro-v1:0',
    'us.meta.llama3-3-70b-instruct-v1:0',
    'us.deepseek.r1-v1:0',
    'mistral.mistral-large-2402-v1:0',
    'openai.gpt-oss-120b-1:0',
  ],
  testModel: 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
  keyHint: 'Region|AccessKeyID|SecretAccessKey|SessionToken, or Region|API key',
})
