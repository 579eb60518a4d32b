import type { CallOperation } from '@hub/contract/call-operations'
import {
  type DialectId,
  dialectOf,
  type FormatId,
  type Framing,
  type ImageForm,
  type ModelRule,
  type SharedDialectId,
  type UpstreamDialect,
  type VendorDialectId,
  type VendorEmbeddings,
} from '@hub/dialects'
import { z } from 'zod'
import { channelOptions } from './chat-options.ts'
import type { EffortRule } from './effort-rules.ts'
import type { ErrorRule } from './error-rules.ts'
import type { FreeField } from './free-field.ts'
import type { ChannelOptions, OperationTranslation } from './operation-translation.ts'
import { commonPriceFields, type PriceFields } from './price-fields.ts'
import type { Quirk } from './quirks.ts'
import type { Sign } from './signing.ts'
import type { ResourceApi, ResourceKind } from './stored-resources.ts'
import type { TaskAdapter } from './tasks.ts'

/** A provider serves the operations that its vendor has. */
export type Operation = CallOperation

/** The parts of a call and its channel that an endpoint's path may depend on. */
export type PathContext = {
  /** The model as it is sent, after the channel's mapping. */
  model: string
  stream: boolean
  /** One body holds several inputs. Some vendors have another address for that. */
  isBatch?: boolean | undefined
  options: ChannelOptions
  /** The channel's free field. */
  other: string
  /** The channel's own address; absent or empty for the provider's. */
  baseUrl?: string
}

/** Channel fields that fill the placeholders of an address. */
export type ChannelConfig = { credential: string; other: string }

/** A path below the base address. A function returns undefined if the channel has the endpoint switched off. */
export type EndpointPath = string | ((context: PathContext) => string | undefined)

/** A group of an upstream that is a gateway. The ratio multiplies the prices of every model. */
export type UpstreamGroup = { group: string; name: string; ratio: number }

/** Reads the groups from the answer at the path. Undefined: the server has no such page. */
export type GroupRatioQuery = {
  path: string
  read(answer: unknown): UpstreamGroup[] | undefined
}

/**
 * A vendor feature for the responses that it stores: read and delete them (`answers`), list their input, run them after
 * the call has ended (`background`, with cancel), and compact a conversation.
 */
export type StoredResponseFeature = 'answers' | 'input' | 'background' | 'compaction'

/** How to ask for a result that is still being made when the vendor answers. */
export type PendingResult = {
  /** The id to ask for. Undefined: the answer is the result, or no answer at all. */
  idIn(answer: unknown): string | undefined
  path(id: string): string
  cancelPath(id: string): string
}

export type Endpoint = {
  dialect: FormatId
  /** The vendor's private format of chat; absent where the dialect is shared. */
  vendorDialect?: UpstreamDialect
  path: EndpointPath
  framing: Framing
  /** Streams report usage only if the request asks for it, and this vendor accepts that field. */
  usageFlag: boolean
  quirks: readonly Quirk[]
  /** Absent: every model. */
  onlyModels?: RegExp
  /** Absent: every channel. */
  enabledBy?: (options: PathContext['options']) => boolean
  /** Models whose tools and reasoning only this endpoint accepts. Callers of other dialects are translated to it. */
  requiredForTools?: RegExp
  /** The rules of the vendor, by model. Absent: the rules of the vendor whose model it is (`model-rules.ts`). */
  modelRules?: readonly ModelRule[]
  /** Absent: the vendor stores no responses. */
  storedResponses?: readonly StoredResponseFeature[]
  /** Whether the channel's options ask the vendor to cache prompts of callers whose dialect has no marks for it. */
  cachesPrompts?: (options: PathContext['options']) => boolean
  /** The field or header in which the vendor reads by which key it finds a cached prompt. Absent: it has none, or refuses unknown fields. */
  promptCacheKey?: { field: string } | { header: string }
  /** The only form in which the vendor gives images, whatever is asked. Absent: it obeys `response_format`. */
  imageForm?: ImageForm
  /** The vendor takes no forms where others do. */
  jsonOnly?: boolean
  /** The path stands below the host of the address instead of below its path. */
  fromOrigin?: boolean
  /** The model as the first message of a realtime session names it. Absent: the path names it. */
  sessionModel?: (context: Pick<PathContext, 'model' | 'other'>) => string
  /** The vendor fetches no media, so that linked ones are sent as base64. Checked in requests that pass through too. */
  mediaBytesOnly?: boolean
  /** Absent: the vendor holds its answer until the result is made. */
  pendingResult?: PendingResult
  /** The vendor's private format of embeddings; absent where the dialect is shared. */
  vendorEmbeddings?: VendorEmbeddings
  /** Present for a vendor's own format. Chat and embeddings never have one: they are translated through canon. */
  translation?: OperationTranslation
}

/** An endpoint in a dialect. */
export type DialectEndpoint = Endpoint & { dialect: DialectId }

/** The endpoints by operation. The first one of an operation is its default endpoint. */
export type Endpoints = Partial<Record<'chat' | 'embeddings', readonly DialectEndpoint[]>> &
  Partial<Record<Exclude<Operation, 'chat' | 'embeddings'>, readonly Endpoint[]>>

/** An endpoint that counts the tokens of a prompt, and the quirks of its body. */
export type TokenCountEndpoint = Pick<Endpoint, 'path' | 'quirks' | 'onlyModels' | 'modelRules'>

/** `wallet`: money of the account. `key`: the quota of the key. `window`: a limit that refills. Empty: unknown. */
export type BalanceKind = 'wallet' | 'key' | 'window' | ''

/** The remaining balance of an account as decimal text, in the vendor's currency. */
export type AccountBalance = { amount: string; currency: 'USD' | 'CNY'; kind: BalanceKind }

export type BalanceQuery = {
  /** Requested in this order, each with GET and the channel's credential. */
  paths: readonly EndpointPath[]
  /** One answer per path. Undefined: the answers hold no balance. */
  read(answers: readonly unknown[], baseUrl: string): AccountBalance | undefined
  /** Absent: every credential may ask. */
  isFor?: (credential: string) => boolean
  /** Absent: the servers of every address may have it. */
  isOffered?: (baseUrl: string) => boolean
  /** Asked where this query gets no balance: the server may be of another kind. */
  fallback?: BalanceQuery
}

/** A proxy service in front of vendors. An operator types its address into a channel of any provider. */
export type Gateway = { origin: string; rewritePath(path: string): string }

/** A public address for callers that use the vendor's own API. */
export type ProviderRoute = {
  /** Fixed, and no other provider's. */
  path: string
  operation: 'images' | 'image-tools'
  /** The model of a tool; of images, the one that is served where the caller names none. */
  model: string
}

/** The collections that a vendor stores. A kind without a path is none of the vendor's. */
export type StoredResources = {
  api: ResourceApi
  paths: Readonly<Partial<Record<ResourceKind, EndpointPath>>>
  /** The price of a call in a batch, relative to any other call, as a decimal. */
  batchPriceRatio: string
}

export type AddressPreset = { name: string; baseUrl: string }

export type Provider = {
  id: string
  /** One Hub's channel-type number. */
  type: number
  name: string
  /** `{name}` is a placeholder. Empty: the channel must give the address. */
  baseUrl: string
  /** The paths name the version, so that one at the end of an address is left out. */
  hasVersionedPaths?: boolean
  /** Servers that work with this provider's paths; suggested in the form of a channel. */
  addressPresets: readonly AddressPreset[]
  /** Values for the placeholders of the address, such as an account or a region. Never a secret. */
  placeholders?: (config: ChannelConfig) => Readonly<Record<string, string | undefined>>
  credential: z.ZodType
  sign: Sign
  /** How its models are told the effort. Absent: as most are. */
  effort?: readonly EffortRule[]
  /** Sent with every request unless the caller set the header. Names are lower case. */
  headers: Readonly<Record<string, string>>
  /** Empty: listed, but not callable. */
  serves: Endpoints
  /** A sentence that says why it cannot be called, with the address that says so and what to use instead. */
  unavailableReason?: string
  routes: readonly ProviderRoute[]
  /** Files, batches and other things that the vendor stores. Absent: callers can store nothing there. */
  stores?: StoredResources
  /** How the vendor makes videos, music or images as tasks. Absent: it has none. */
  tasks?: TaskAdapter
  /** Endpoints that count the tokens of a prompt free of charge, by dialect. */
  tokenCounting?: Partial<Record<DialectId, TokenCountEndpoint>>
  keyHint: string
  links: { site?: string; keys?: string; docs?: string }
  /** Filled into the form of a new channel. */
  defaultModels: readonly string[]
  testModel: string
  /** The list has OpenAI's shape unless `readModelIds` reads it. */
  modelListPath?: EndpointPath
  /** Lists the account's tasks without making one, for tests of a vendor whose calls are all charged. */
  taskListPath?: EndpointPath
  readModelIds?: (list: unknown) => string[]
  /** The public page on which a gateway shows the multipliers of its groups. Absent: the vendor has no groups. */
  groupRatios?: GroupRatioQuery
  /** Absent: the vendor documents no address that an API key may query. */
  balance?: BalanceQuery
  options?: z.ZodObject
  /** It refuses the line about its plan that Claude Code puts into the prompt, or makes nothing of it. */
  dropsAttribution?: boolean
  /** Hosts that serve the vendor's own models alone: neither a gateway nor an account of Anthropic's. */
  ownHosts?: RegExp
  /** Hosts beside that of `baseUrl` where the vendor's published prices hold. */
  listPriceHosts?: RegExp
  /** The meaning of the channel's free field. Absent: the provider does not read it, and a value is refused. */
  freeField?: FreeField
  /** The section of options that One Hub sends as headers. It is saved with the channel's headers, encrypted. */
  headerSection?: string
  /** The well-known value of `gen_ai.provider.name`, where it is not the id. */
  telemetryName?: string
  errorRules: readonly ErrorRule[]
  /** Finds in status, message, type and code of a refusal that the upstream serves the model in other dialects only. */
  missingDialect?: RegExp
  /** Fields of a request that change the vendor's price. */
  priceFields: PriceFields
}

type RequiredField = 'id' | 'type' | 'name' | 'baseUrl' | 'credential' | 'sign' | 'serves'
type Definition = Pick<Provider, RequiredField> & Partial<Omit<Provider, RequiredField>>

export const defineProvider = ({ options, ...definition }: Definition): Provider => ({
  keyHint: 'API key',
  headers: {},
  addressPresets: [],
  links: {},
  defaultModels: [],
  testModel: definition.defaultModels?.[0] ?? '',
  errorRules: [],
  routes: [],
  priceFields: commonPriceFields,
  ...definition,
  ...channelOptions(options, definition),
})

type EndpointOptions =
  | 'usageFlag'
  | 'quirks'
  | 'onlyModels'
  | 'enabledBy'
  | 'requiredForTools'
  | 'modelRules'
  | 'framing'
  | 'storedResponses'
  | 'cachesPrompts'
  | 'promptCacheKey'
  | 'translation'
  | 'jsonOnly'
  | 'imageForm'
  | 'fromOrigin'
  | 'sessionModel'
  | 'mediaBytesOnly'
  | 'pendingResult'

/** The address of a WebSocket, which names its model in the query. */
export const realtimePath =
  (path: string): EndpointPath =>
  context =>
    realtimeQuery(path, context)

export const realtimeQuery = (path: string, { model }: Pick<PathContext, 'model'>): string =>
  `${path}?model=${encodeURIComponent(model)}`

const endpointDefaults = { framing: 'sse', usageFlag: false, quirks: [] } as const

export const defineEndpoint = <Id extends Exclude<FormatId, VendorDialectId>>(
  dialect: Id,
  path: EndpointPath,
  options: Partial<Pick<Endpoint, EndpointOptions>> = {},
): Endpoint & { dialect: Id } => ({
  dialect,
  path,
  ...endpointDefaults,
  ...options,
})

/** An endpoint for a format that only this vendor has. Every caller is translated to it. */
export const defineVendorEndpoint = (
  vendorDialect: UpstreamDialect,
  path: EndpointPath,
  options: Partial<Pick<Endpoint, EndpointOptions>> = {},
): DialectEndpoint => ({
  dialect: vendorDialect.id,
  vendorDialect,
  path,
  ...endpointDefaults,
  ...options,
})

/** An endpoint for embeddings in a format that only this vendor has. */
export const defineVendorEmbeddings = (
  vendorEmbeddings: VendorEmbeddings,
  path: EndpointPath,
  options: Partial<Pick<Endpoint, 'onlyModels'>> = {},
): DialectEndpoint => ({
  dialect: vendorEmbeddings.id,
  vendorEmbeddings,
  path,
  ...endpointDefaults,
  ...options,
})

export const upstreamDialectOf = ({
  dialect,
  vendorDialect,
}: Pick<Endpoint, 'dialect' | 'vendorDialect'>): UpstreamDialect =>
  vendorDialect ?? dialectOf(dialect as SharedDialectId)

export const defineTokenCount = (
  path: EndpointPath,
  options: Partial<Omit<TokenCountEndpoint, 'path'>> = {},
): TokenCountEndpoint => ({ path, quirks: [], ...options })

export const secret = () => z.string().min(1).meta({ secret: true })
export const apiKey = () => secret().meta({ secret: true, label: 'API key' })

/** The form of a channel's extra options as JSON Schema, for the console. */
export const optionsForm = ({ options }: Pick<Provider, 'options'>): Record<string, unknown> =>
  options ? (z.toJSONSchema(options) as Record<string, unknown>) : {}

export { apiKeyHeader, apiKeyQuery, bearer, unsigned } from './signing.ts'
