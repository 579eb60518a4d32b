import { Fault } from '@hub/contract'
import {
  type CallerFormat,
  inputTokens,
  isTokenCount,
  needsStorage,
  noUsage,
  type ParsedRequest,
  readReasoningEffort,
  readToolCalls,
  type Usage,
} from '@hub/dialects'
import { guessTokens } from '@hub/dialects/prompt-count'
import { requireTokenPrice, tiersOf } from '../../billing/calls/batch-prices.ts'
import { boundedTools, pointsOfTools } from '../../billing/prices/held-tools.ts'
import type { Terms } from '../../billing/prices/terms.ts'
import { addUsage } from '../../billing/usage.ts'
import type { App } from '../../core/app.ts'
import { servesModel } from '../../relay/channels/channel.ts'
import { checkSteering } from '../../relay/channels/steering.ts'
import type { AuthenticatedContext } from '../../relay/context.ts'
import { checkModelAllowed } from '../../relay/limits/admit.ts'
import { checkLinks } from '../../relay/links/check-links.ts'
import { sharedObjects } from '../../relay/links/check-references.ts'
import { listReferences } from '../../relay/links/references.ts'
import { checkPriceFields, unpricedPolicyOf } from '../../relay/price-fields/check-fields.ts'
import { unreadableFault } from '../../relay/request/unreadable.ts'
import { reservedPromptTokens } from '../../relay/routing/pick.ts'
import type { StorageAccount } from '../../relay/upstream/accounts/account-request.ts'
import { callerHeaders } from '../../relay/upstream/headers.ts'

/** The requests of one model whose prompts are in one tier of its price. */
export type PlannedGroup = {
  model: string
  above: number
  /** The most that they may use, without tools that are sold by the call. */
  usage: Usage
  tools: ToolPoints
  requests: number
  /** Their prompts most likely have so many, which are charged where the vendor counts none. */
  promptTokens: number
  /** One of them at least names a limit on its output. */
  hasLimits: boolean
  /** One of them at least leaves reasoning on. */
  mayReason: boolean
  customIds: string[]
}

/** Points for the usual calls of tools, and for those only whose number has a bound. */
type ToolPoints = { usual: number; bounded: number }

/** Reserved for an answer without a limit of the caller. */
const defaultOutput = 4096

type PlannedRequest = {
  groups: readonly PlannedGroup[]
  usage: Usage
  tools: ToolPoints
  promptTokens: number
  hasLimit: boolean
  mayReason: boolean
  customId: string
  ids: readonly string[]
}

const addToGroup = (request: PlannedRequest): void => {
  const { groups, usage, tools, promptTokens, customId } = request
  const group = groups.findLast(each => inputTokens(usage) > each.above) ?? groups[0]!
  group.usage = addUsage(group.usage, usage)
  group.requests += 1
  group.tools.usual += tools.usual
  group.tools.bounded += tools.bounded
  group.promptTokens += promptTokens
  group.hasLimits ||= request.hasLimit
  group.mayReason ||= request.mayReason
  group.customIds.push(customId)
}

type PlanOptions = { account: StorageAccount; format: CallerFormat; modelsMax: number }

/** Checks the requests of a batch one by one as if they were calls, and sums what they may use. */
export class BatchPlan {
  readonly groups: PlannedGroup[] = []
  readonly references = new Set<string>()
  private readonly byModel = new Map<string, PlannedGroup[]>()
  /** Requests that name files, until the sizes of these are known. */
  private readonly waiting: PlannedRequest[] = []
  private readonly app: App
  private readonly context: AuthenticatedContext
  private readonly options: PlanOptions
  private readonly headers: string[]

  constructor(app: App, context: AuthenticatedContext, options: PlanOptions) {
    this.app = app
    this.context = context
    this.options = options
    this.headers = callerHeaders(app, context, options.account.channel, context.dialect.id)
  }

  /** Throws `batch.invalid` with the place of a request that cannot be run. */
  add(customId: string, body: Buffer, place: string): void {
    const { format, account } = this.options
    const result = format.read(body)
    if (!result.ok) throw invalid(place, unreadableFault(result).message)
    const { parsed } = result
    if (parsed.stream) throw invalid(place, "'stream' has no meaning in a batch.")
    if (parsed.state && needsStorage(parsed.state))
      throw invalid(place, 'A request of a batch cannot continue a response or a conversation.')
    const ids = listReferences(body, { format: format.id, hasAddresses: parsed.hasAddresses })
      .filter(each => !sharedObjects(account.channel).has(each.id))
      .map(each => each.id)
    checkLinks(account.channel, parsed, new Set(ids))
    checkSteering(account.channel, format.id, parsed)
    const groups = this.byModel.get(parsed.model) ?? this.addModel(parsed.model, place)
    this.refusePricedFields(parsed, place)
    const usage = reservedUsage(parsed, account.channel.preCost)
    const request = {
      ...{ groups, usage, customId, ids, tools: this.toolPoints(parsed) },
      promptTokens: guessTokens(parsed),
      hasLimit: parsed.outputMax !== undefined,
      mayReason: readReasoningEffort(parsed).request !== 'off',
    }
    for (const id of ids) this.references.add(id)
    if (ids.length === 0) addToGroup(request)
    else this.waiting.push(request)
  }

  private toolPoints(parsed: ParsedRequest): ToolPoints {
    const tools = parsed.hasVendorTools ? readToolCalls(parsed, parsed.model) : undefined
    if (!tools) return { usual: 0, bounded: 0 }
    const { terms } = requireTokenPrice(this.app, parsed.model, this.context.caller.group)
    const bounded = boundedTools(tools)
    return {
      usual: pointsOfTools(terms, tools),
      bounded: bounded ? pointsOfTools(terms, bounded) : 0,
    }
  }

  /** One charge sums many answers, so that none of them may have a price of its own. Nothing can be removed either. */
  private refusePricedFields(parsed: ParsedRequest, place: string): void {
    const { channel } = this.options.account
    const allows = unpricedPolicyOf(channel) === 'allow'
    const options = { price_fields: { unpriced: allows ? 'allow' : 'refuse' } }
    const { terms } = requireTokenPrice(this.app, parsed.model, this.context.caller.group)
    // Each tier of a price has its own charge.
    const tiers: Terms = { ...terms, modes: {} }
    try {
      checkPriceFields(
        { channel: { ...channel, options }, model: parsed.model, termsOf: () => tiers },
        { parsed, edits: {}, headers: this.headers },
      )
    } catch (error) {
      throw error instanceof Fault ? invalid(place, error.message) : error
    }
  }

  /** Adds the requests that name files to their groups, by the bytes of each file. A token has at least one byte. */
  addFiles(bytes: ReadonlyMap<string, number>): void {
    for (const request of this.waiting.splice(0)) {
      const tokens = request.ids.reduce((sum, id) => sum + (bytes.get(id) ?? 0), 0)
      request.usage.input += tokens
      addToGroup({ ...request, promptTokens: request.promptTokens + tokens })
    }
  }

  private addModel(model: string, place: string): PlannedGroup[] {
    const { app, context } = this
    const { account, modelsMax } = this.options
    const { channel } = account
    checkModelAllowed(context.token, model)
    if (!servesModel(channel, model))
      throw invalid(place, `The account of its file does not serve ${model.slice(0, 100)}.`)
    // The vendor reads the name as it stands in the file.
    if (channel.mapping.has(model))
      throw invalid(
        place,
        `${model.slice(0, 100)} is a name of this gateway, unknown to the provider.`,
      )
    if (this.byModel.size >= modelsMax)
      throw invalid(place, `A batch here has requests of at most ${modelsMax} model(s).`)
    const { terms } = requireTokenPrice(app, model, context.caller.group)
    const groups = tiersOf(terms).map(({ above }) => ({
      ...{ model, above, usage: noUsage(), requests: 0, promptTokens: 0 },
      ...{ tools: { usual: 0, bounded: 0 }, hasLimits: false, mayReason: false },
      customIds: [],
    }))
    this.byModel.set(model, groups)
    this.groups.push(...groups)
    return groups
  }
}

const invalid = (place: string, why: string) =>
  new Fault('batch.invalid', { hint: `${place}: ${why}` })

const reservedUsage = (parsed: ParsedRequest, preCost: 1 | 2 | 3): Usage => {
  if (parsed.pricing) return parsed.pricing.max
  const usage = noUsage()
  usage.input = reservedPromptTokens(parsed, preCost)
  usage.output = (parsed.outputMax ?? defaultOutput) * parsed.n
  if (!isTokenCount(usage.input) || !isTokenCount(usage.output))
    throw new Fault('request.invalid', { hint: 'A number of tokens is out of bounds.' })
  return usage
}
