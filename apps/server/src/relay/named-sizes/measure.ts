import { decodeAsciiEscapes, inputTokens, outputTokens, type ParsedRequest } from '@hub/dialects'
import { resourceKind } from '@hub/providers'
import { readReceipt } from '../../billing/calls/read-receipt.ts'
import type { App } from '../../core/app.ts'
import * as receipts from '../../db/queries/receipts.ts'
import type { Channel } from '../channels/channel.ts'
import { contextOf, modelSizes } from '../channels/model-sizes.ts'
import type { AuthenticatedContext, ResolvedRequest } from '../context.ts'
import { isToolField } from '../price-fields/plain-fields.ts'
import type { Candidates } from '../routing/pick.ts'
import { askFileBytes, askResponseTokens } from './ask-vendor.ts'

// The hold covers everything that the body only names: an earlier response, a file or a search result costs as much as
// the same text in the body.

type Named = ResolvedRequest & { context: AuthenticatedContext }

/** Tokens at most; undefined where this source does not know. */
type Source = (app: App, named: Named) => Promise<number | undefined>

/** The usage of the call that made the response: the next one reads its prompt and its output. */
const byReceipt: Source = async (app, { target: { continues } }) => {
  const row = continues && (await receipts.find(app.callDb, continues.request_id))
  const receipt = row && readReceipt(row.late_usage ?? row.usage)
  // A response that its caller left may have become longer at the vendor than what was charged.
  if (receipt?.finish !== 'complete' || receipt.estimated) return undefined
  return inputTokens(receipt.usage) + outputTokens(receipt.usage)
}

/** Files of one call that their vendor is asked about. */
const askedMax = 8

/** A token has at least one byte. */
const byRecord: Source = async (app, { context, target: { namedObjects = [] } }) => {
  const files = namedObjects.filter(each => isFile(each.kind))
  const unknown = new Map(files.filter(each => each.size <= 0).map(each => [each.id, each]))
  if (unknown.size > askedMax) return undefined
  const sizes = await Promise.all(
    [...unknown].map(async ([id, row]) => [id, await askFileBytes(app, context, row)] as const),
  )
  const bytes = new Map(sizes)
  let sum = 0
  for (const { id, size } of files) {
    const known = size > 0 ? size : bytes.get(id)
    if (known === undefined) return undefined
    sum += known
  }
  return sum
}

const byVendor: Source = (app, { context, parsed, target }) =>
  askResponseTokens(app, context, { parsed, target })

const byContext: Source = (app, { parsed, target }) =>
  contextSize(app, target.candidates, parsed.model)

type NamedKind = {
  isNamed(named: Pick<ResolvedRequest, 'parsed' | 'target'>): boolean
  /** The first that knows it counts. Where none does, the size has no bound. */
  sources: readonly Source[]
  /** The vendor may read it any number of times in one call, so that its source is an assumption. */
  isRepeated?: true
}

/** Whatever a request can name. A stored prompt of Gemini is counted with the prompt, by its record. */
export const namedKinds: Readonly<Record<string, NamedKind>> = {
  'previous response': {
    isNamed: ({ parsed: { state }, target }) =>
      state?.previousResponseId !== undefined && target.continues !== undefined,
    sources: [byReceipt, byVendor, byContext],
  },
  conversation: {
    isNamed: ({ parsed: { state } }) => state?.conversationId !== undefined,
    sources: [byContext],
  },
  'item of a response': {
    isNamed: ({ parsed: { state }, target: { references } }) =>
      state?.hasItemReferences === true ||
      references?.some(each => each.field === 'item_reference') === true,
    sources: [byContext],
  },
  'prompt template': {
    isNamed: ({ parsed: { state, fieldRanges } }) =>
      state !== undefined && fieldRanges.has('prompt'),
    sources: [byContext],
  },
  'stored file': {
    isNamed: ({ target: { namedObjects = [] } }) => namedObjects.some(each => isFile(each.kind)),
    sources: [byRecord, byContext],
  },
  'linked file': {
    isNamed: ({ parsed, target }) => parsed.hasAddresses === true && linksToFile(parsed, target),
    sources: [byContext],
  },
  'result of a search or another tool of the vendor': {
    isNamed: ({ parsed: { hasVendorTools, fieldRanges } }) =>
      hasVendorTools === true || [...fieldRanges.keys()].some(isToolField),
    sources: [byContext],
    isRepeated: true,
  },
}

const isFile = (kind: string): boolean => resourceKind(kind).isFile === true

/** Images behind addresses are counted with the prompt; other files may be as long as a prompt. */
const linksToFile = (
  { body }: ParsedRequest,
  { namedObjects = [] }: Pick<ResolvedRequest['target'], 'namedObjects'>,
): boolean => {
  const decoded = decodeAsciiEscapes(body)
  const includes = (word: string) => (decoded ?? body).includes(word)
  if (includes('"file_url"')) return true
  const isDocument = includes('"document"')
  if (!isDocument && !includes('fileUri') && !includes('file_uri')) return false
  const text = decoded ?? body.toString('latin1')
  if (isDocument && /"type"\s*:\s*"url"/.test(text)) return true
  const links = text.match(/"file_?uri"/gi)?.length ?? 0
  const images = text.match(/"mime_?type"\s*:\s*"image\//gi)?.length ?? 0
  return links > namedObjects.length + images
}

const kinds = Object.values(namedKinds)

/** The whole context of a model, where nobody says how long that is. */
const assumedContext = 1_000_000

/** Adds the size of what the request names. A request that names nothing is returned at once. */
export const measureNamed = (
  app: App,
  context: AuthenticatedContext,
  resolved: ResolvedRequest,
): ResolvedRequest | Promise<ResolvedRequest> =>
  kinds.some(each => each.isNamed(resolved)) ? measure(app, { ...resolved, context }) : resolved

const measure = async (app: App, named: Named): Promise<ResolvedRequest> => {
  let tokens = 0
  let assumedTokens = 0
  for (const kind of kinds.filter(each => each.isNamed(named))) {
    const size = await firstKnown(app, named, kind.sources)
    if (size === undefined || kind.isRepeated)
      assumedTokens = Math.max(assumedTokens, size ?? assumedContext)
    else tokens += size
  }
  // A vendor refuses a prompt that is longer than its context.
  const most = (await byContext(app, named)) ?? Number.MAX_SAFE_INTEGER
  const { parsed, target } = named
  return { parsed, target: { ...target, named: { tokens: Math.min(tokens, most), assumedTokens } } }
}

const firstKnown = async (
  app: App,
  named: Named,
  sources: readonly Source[],
): Promise<number | undefined> => {
  for (const source of sources) {
    const size = await source(app, named)
    if (size !== undefined) return size
  }
  return undefined
}

/**
 * The longest prompt in tokens that any of the channels takes for the model, by the channel's own list or the model
 * information. Undefined where one of them is not known.
 */
const contextSize = async (
  app: App,
  { tiers }: Candidates,
  model: string,
): Promise<number | undefined> => {
  const known = await modelSizes(app).get()
  const sizeAt = (channel: Channel) => contextOf(known, channel, model)
  const sizes = tiers.flatMap(each => each.channels).map(sizeAt)
  if (sizes.length === 0 || sizes.includes(undefined)) return undefined
  return Math.max(...sizes.map(each => each ?? 0))
}
