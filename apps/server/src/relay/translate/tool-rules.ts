import {
  type ChatRequest,
  type Dialect,
  type ParsedRequest,
  renameTools,
  replaceCallIds,
  type ToolNames,
  type ToolRules,
} from '@hub/dialects'

type ObedientRequest = { request: ChatRequest; toolNames: ToolNames | undefined }

/** The request with tools that the vendor accepts; the request itself where it accepts them already. */
export const obeyToolRules = (request: ChatRequest, rules: ToolRules): ObedientRequest => {
  const renamed = renameTools(request, rules.names)
  return { request: replaceCallIds(renamed.request, rules.callIds), toolNames: renamed.names }
}

/** Returns true where a vendor refuses a request of its own dialect because of the tools in it. */
export const breaksToolRules = (
  dialect: Dialect,
  parsed: ParsedRequest,
  rules: ToolRules,
): boolean => {
  const isSuspect = rules.isNarrow ? parsed.hasTools : parsed.hasUnusualToolText
  if (!isSuspect || usesVendorState(parsed)) return false
  const { model, stream } = parsed
  const decoded = dialect.decodeRequest(JSON.parse(parsed.body.toString()), { model, stream })
  return decoded.ok && obeyToolRules(decoded.request, rules).request !== decoded.request
}

/** A response that the vendor stores keeps the vendor's ids, so its bytes must pass. */
const usesVendorState = ({ state }: ParsedRequest): boolean =>
  state !== undefined &&
  (state.store ||
    state.background ||
    state.hasItemReferences ||
    state.previousResponseId !== undefined ||
    state.conversationId !== undefined)
