import ai360 from './ai360/index.ts'
import anthropic from './anthropic/index.ts'
import azure from './azure/index.ts'
import azureSpeech from './azure-speech/index.ts'
import azureV1 from './azure-v1/index.ts'
import baichuan from './baichuan/index.ts'
import bedrock from './bedrock/index.ts'
import bedrockMessages from './bedrock-messages/index.ts'
import cloudflare from './cloudflare/index.ts'
import cohere from './cohere/index.ts'
import coze from './coze/index.ts'
import custom from './custom/index.ts'
import databricks from './databricks/index.ts'
import deepseek from './deepseek/index.ts'
import type { Provider } from './define.ts'
import gemini from './gemini/index.ts'
import groq from './groq/index.ts'
import hunyuan from './hunyuan/index.ts'
import jimeng from './jimeng/index.ts'
import jina from './jina/index.ts'
import kling from './kling/index.ts'
import lingyi from './lingyi/index.ts'
import midjourney from './midjourney/index.ts'
import minimax from './minimax/index.ts'
import mistral from './mistral/index.ts'
import moonshot from './moonshot/index.ts'
import ollama from './ollama/index.ts'
import openai from './openai/index.ts'
import openrouter from './openrouter/index.ts'
import qianfan from './qianfan/index.ts'
import qwen from './qwen/index.ts'
import recraft from './recraft/index.ts'
import replicate from './replicate/index.ts'
import siliconflow from './siliconflow/index.ts'
import spark from './spark/index.ts'
import stability from './stability/index.ts'
import suno from './suno/index.ts'
import { unsupportedProviders } from './unsupported.ts'
import upstreamGateway from './upstream-gateway/index.ts'
import vertex from './vertex/index.ts'
import vertexExpress from './vertex-express/index.ts'
import vidu from './vidu/index.ts'
import volcengine from './volcengine/index.ts'
import xai from './xai/index.ts'
import zhipu from './zhipu/index.ts'

export * from './address.ts'
export * from './batch-apis.ts'
export * from './caller-headers.ts'
export {
  attributionChoice,
  balanceWarningOf,
  cacheKeyScope,
  readStatusCodes,
} from './chat-options.ts'
export * from './define.ts'
export { effortEdits, effortRefusal, ruledEffortRefusal } from './effort.ts'
export * from './empty-accounts.ts'
export * from './error-rules.ts'
export * from './header-names.ts'
export * from './list-prices.ts'
export * from './midjourney/actions.ts'
export * from './model-rules.ts'
export * from './name-set.ts'
export type * from './operation-translation.ts'
export * from './price-fields.ts'
export * from './quirks.ts'
export type { AuthFields, OutgoingRequest, Sign, SigningContext } from './signing.ts'
export { signWithSigV4 } from './sigv4.ts'
export * from './steering-fields.ts'
export * from './stored-objects.ts'
export * from './stored-resources.ts'
export * from './tasks.ts'
export { unpricedMetadata } from './video-metadata.ts'

/** Every channel type, sorted by its number. */
export const providers: readonly Provider[] = [
  openai,
  custom,
  upstreamGateway,
  anthropic,
  zhipu,
  ai360,
  openrouter,
  baichuan,
  gemini,
  minimax,
  deepseek,
  moonshot,
  mistral,
  groq,
  jina,
  lingyi,
  ollama,
  hunyuan,
  siliconflow,
  spark,
  stability,
  recraft,
  replicate,
  xai,
  qianfan,
  qwen,
  azure,
  azureV1,
  azureSpeech,
  databricks,
  cloudflare,
  cohere,
  coze,
  bedrock,
  bedrockMessages,
  vertex,
  vertexExpress,
  kling,
  midjourney,
  suno,
  vidu,
  volcengine,
  jimeng,
  ...unsupportedProviders,
].sort((a, b) => a.type - b.type)

const byType: ReadonlyMap<number, Provider> = new Map(providers.map(each => [each.type, each]))

const ownHosts = providers.flatMap(each => each.ownHosts ?? [])

/** A vendor's own models are behind this host, and no account of another vendor. */
export const isOwnHost = (hostname: string): boolean => ownHosts.some(each => each.test(hostname))

const baseHosts = new Set(providers.flatMap(each => URL.parse(each.baseUrl)?.hostname ?? []))

/** An address at this host is one of a vendor's API, which needs a credential. */
export const isApiHost = (hostname: string): boolean =>
  baseHosts.has(hostname) || isOwnHost(hostname)

/** A provider that serves nothing is listed for stored channels only. */
export const isCallable = ({ serves, tasks }: Provider): boolean =>
  tasks !== undefined || Object.keys(serves).length > 0

/** Says why a channel type cannot be called. Undefined: it can, or it is not implemented. */
export const unavailableReasonOf = (type: number): string | undefined =>
  byType.get(type)?.unavailableReason

/** The callable provider of a channel type. Undefined: unknown or unsupported. */
export const providerOf = (type: number): Provider | undefined => {
  const provider = byType.get(type)
  return provider && isCallable(provider) ? provider : undefined
}
