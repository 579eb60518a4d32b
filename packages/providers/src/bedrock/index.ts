import { z } from 'zod'
import { bucketOptions, cachesPrompts, cachingOptions } from '../chat-options.ts'
import {
  bearer,
  defineEndpoint,
  defineProvider,
  defineVendorEmbeddings,
  type PathContext,
} from '../define.ts'
import { add, drop } from '../quirks.ts'
import { awsCredential, keyHint, regionOf, signForService } from './credential.ts'
import { cohereEmbeddings, titanEmbeddings } from './embeddings.ts'
import { imageModels, images } from './images.ts'
import { bedrockRules } from './model-rules.ts'
import { priceFields } from './price-fields.ts'

/** One Hub uses Anthropic's names of Claude models. Bedrock puts a region, `anthropic.` and a version around them. */
const modelId = (model: string): string => {
  const [, region = '', name = ''] =
    /^((?:global|us|eu|apac)\.)?(claude-[\w-]+-\d{8})$/.exec(model) ?? []
  if (name === '') return model
  return `${region}anthropic.${name}-v${name === 'claude-3-5-sonnet-20241022' ? 2 : 1}:0`
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html */
const invokePath = ({ model }: PathContext): string => `/model/${encodeURIComponent(model)}/invoke`

// Address, API keys as Bearer: https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html
// The path has the model, so the body must not. The API version is a field instead of a header:
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
// Streams: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
// Images as base64 only: https://platform.claude.com/docs/en/build-with-claude/vision
// All other models, by their id, with or without a region prefix, or by the ARN of an inference profile:
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
export default defineProvider({
  id: 'bedrock',
  telemetryName: 'aws.bedrock',
  name: 'Amazon Bedrock',
  type: 32,
  baseUrl: 'https://bedrock-runtime.{region}.amazonaws.com',
  dropsAttribution: bedrockRules.some(each => each.kind === 'reserved-words'),
  ownHosts: /^bedrock-(runtime(-fips)?\.[\w-]+\.amazonaws\.com|mantle\.[\w-]+\.api\.aws)$/,
  placeholders: regionOf,
  credential: awsCredential(),
  sign: signForService('bedrock', bearer),
  priceFields,
  serves: {
    chat: [
      defineEndpoint(
        'anthropic',
        ({ model, stream }) => {
          const action = stream ? 'invoke-with-response-stream' : 'invoke'
          return `/model/${encodeURIComponent(modelId(model))}/${action}`
        },
        {
          cachesPrompts,
          onlyModels: /claude/,
          framing: 'aws-events',
          modelRules: bedrockRules,
          mediaBytesOnly: true,
          quirks: [drop(['model', 'stream']), add({ anthropic_version: 'bedrock-2023-05-31' })],
        },
      ),
      defineEndpoint(
        'converse',
        ({ model, stream }) =>
          `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
        { framing: 'aws-events', modelRules: bedrockRules },
      ),
    ],
    embeddings: [
      defineVendorEmbeddings(titanEmbeddings, invokePath, { onlyModels: /amazon\.titan-embed/ }),
      defineVendorEmbeddings(cohereEmbeddings, invokePath, { onlyModels: /cohere\.embed/ }),
    ],
    images: [
      defineEndpoint('vendor', invokePath, {
        translation: images,
        imageForm: 'b64_json',
        onlyModels: imageModels,
      }),
    ],
  },
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors:
  // 424 means that the model failed at this request. Another model may succeed.
  errorRules: [
    { status: 424, fault: 'upstream.failed' },
    // This account cannot call the model in this way, whatever the request.
    {
      status: 400,
      match: /model identifier is invalid|on-demand throughput isn.t supported/,
      fault: 'upstream.refused',
    },
  ],
  options: z.object({ ...bucketOptions, ...cachingOptions }),
  links: {
    site: 'https://aws.amazon.com/bedrock',
    keys: 'https://console.aws.amazon.com/bedrock/home#/api-keys',
    docs: 'https://docs.aws.amazon.com/bedrock/latest/userguide',
  },
  defaultModels: [
    'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'global.anthropic.claude-haiku-4-5-20251001-v1:0',
    'global.amazon.nova-2-lite-v1:0',
    'us.amazon.nova-pro-v1:0',
    'us.meta.llama3-3-70b-instruct-v1:0',
    'us.deepseek.r1-v1:0',
    'mistral.mistral-large-2402-v1:0',
    'openai.gpt-oss-120b-1:0',
    'amazon.titan-embed-text-v2:0',
    'cohere.embed-v4:0',
    'amazon.nova-canvas-v1:0',
  ],
  testModel: 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
  keyHint,
})
