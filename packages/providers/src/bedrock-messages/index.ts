import { z } from 'zod'
import { awsCredential, keyHint, regionOf, signForService } from '../bedrock/credential.ts'
import { bedrockRules } from '../bedrock/model-rules.ts'
import { priceFields } from '../bedrock/price-fields.ts'
import { cachesPrompts, cachingOptions } from '../chat-options.ts'
import { apiKeyHeader, bearer, defineEndpoint, defineProvider } from '../define.ts'
import type { Quirk } from '../quirks.ts'
import type { Sign } from '../signing.ts'

const messagesPath = '/anthropic/v1/messages'

/** Anthropic's names have the vendor in front, and no version: https://docs.getbifrost.ai/providers/supported-providers/bedrock-mantle */
const nameModel: Quirk = {
  reach: 'top',
  onlyModels: /^claude-/,
  edit: view => view.set('model', `anthropic.${view.get('model')}`),
}

const withApiKey: Sign = (context, key, outgoing) =>
  !outgoing || outgoing.path.includes(messagesPath)
    ? apiKeyHeader('x-api-key')(context, key)
    : bearer(context, key)

// Address, version header, keys: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-messages-api.html
// The other models speak OpenAI's API at the same host: https://docs.aws.amazon.com/bedrock/latest/userguide/bedrock-mantle.html
// Images as base64 only: https://platform.claude.com/docs/en/build-with-claude/vision
// The name of the service in signatures is that of the host.
export default defineProvider({
  id: 'bedrock-messages',
  telemetryName: 'aws.bedrock',
  name: 'Amazon Bedrock Messages',
  type: 62,
  baseUrl: 'https://bedrock-mantle.{region}.api.aws',
  dropsAttribution: bedrockRules.some(each => each.kind === 'reserved-words'),
  placeholders: regionOf,
  credential: awsCredential(),
  sign: signForService('bedrock-mantle', withApiKey),
  headers: { 'anthropic-version': '2023-06-01' },
  priceFields,
  serves: {
    chat: [
      defineEndpoint('anthropic', messagesPath, {
        cachesPrompts,
        onlyModels: /claude/,
        modelRules: bedrockRules,
        mediaBytesOnly: true,
        quirks: [nameModel],
      }),
      defineEndpoint('openai-chat', '/v1/chat/completions', {
        usageFlag: true,
      }),
    ],
  },
  options: z.object(cachingOptions),
  links: {
    site: 'https://aws.amazon.com/bedrock',
    keys: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    docs: 'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-messages-api.html',
  },
  defaultModels: ['anthropic.claude-opus-4-8', 'anthropic.claude-haiku-4-5', 'openai.gpt-oss-120b'],
  testModel: 'anthropic.claude-haiku-4-5',
  keyHint,
  modelListPath: '/v1/models',
})
