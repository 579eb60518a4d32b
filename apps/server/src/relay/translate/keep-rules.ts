import {
  applyFieldRules,
  applyModelRules,
  type ChatRequest,
  type Dialect,
  instructionNote,
  pairToolResults,
  type RulesOfModel,
  renameTools,
  replaceCallIds,
  ruleRefusal,
  type ToolNames,
  type UpstreamDialect,
  withUserMessage,
} from '@hub/dialects'
import { type Endpoint, modelRulesOf } from '@hub/providers'

type RulesContext = {
  from: Pick<Dialect, 'id'>
  to: Pick<UpstreamDialect, 'id'>
  endpoint: Pick<Endpoint, 'modelRules' | 'dialect'>
  /** The model as the caller names it. */
  model: string
}

export type KeptRules = {
  /** The request as the vendor's model accepts it. */
  request: ChatRequest
  toolNames: ToolNames | undefined
  /** The changes, in words for the log row. */
  notes: readonly string[]
  /** Tells the caller why the model's rules cannot be kept. */
  refusal?: string
}

/**
 * Changes a request so that it keeps the rules of the model at the endpoint. In the vendor's own dialect only ids, names and
 * lengths are changed: there the vendor itself answers what its callers ask against a rule.
 */
export const keepRules = (
  request: ChatRequest,
  { from, to, endpoint, model }: RulesContext,
): KeptRules => {
  const rules = modelRulesOf(endpoint, request.model)
  const { request: accepted, toolNames } = obeyToolRules(request, rules)
  // A vendor that stores responses has the calls of results that stand alone.
  if (from.id === to.id) return { ...applyFieldRules(accepted, rules), toolNames }
  const answerable = withUserMessage(accepted)
  const paired = pairToolResults(answerable)
  const ruled = applyModelRules(paired.request, rules, to.id)
  const notes = [
    ...(answerable === accepted ? [] : [instructionNote]),
    ...paired.repairs,
    ...ruled.notes,
  ]
  return {
    request: ruled.request,
    toolNames,
    notes,
    ...(ruled.refused && { refusal: ruleRefusal(ruled.refused, from.id, model) }),
  }
}

type ObedientRequest = { request: ChatRequest; toolNames: ToolNames | undefined }

/** Ids of calls are made where the caller's dialect has none. */
const anyId = /./s

/** The request with tools that the vendor accepts; the request itself where it accepts them already. */
export const obeyToolRules = (
  request: ChatRequest,
  rules: Pick<RulesOfModel, 'tool-names' | 'call-ids'>,
): ObedientRequest => {
  const names = rules['tool-names']
  const renamed = names ? renameTools(request, names.pattern) : { request, names: undefined }
  const ids = rules['call-ids']?.pattern ?? anyId
  return { request: replaceCallIds(renamed.request, ids), toolNames: renamed.names }
}
