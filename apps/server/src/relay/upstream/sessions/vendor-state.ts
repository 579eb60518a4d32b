import { type StateFilter, stateEdits } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import { inventedState, isMarked } from '../../channels/marks.ts'
import type { Attempt, CallContext } from '../../context.ts'
import type { Reference } from '../../links/references.ts'

/** The state that must not reach the vendor: all of it, or what the gateway invented for callers of its dialect. */
export const stateOf = (app: App, { parsed, dialect }: CallContext, attempt: Attempt) => {
  const { dropsState, translation, upstreamModel, notes = [] } = attempt
  if (!dropsState && (translation || !isMarked(app, parsed.body, dialect.id))) return undefined
  const why = dropsState
    ? 'repeated without state of another account'
    : 'sent without state of the gateway'
  return {
    ...(dropsState ? allState(upstreamModel) : inventedState(app, dialect.id, upstreamModel)),
    note: (dropped: ReadonlySet<string>) =>
      notes.push(`gateway: ${why}: ${[...dropped].join(', ')}`),
  }
}

/** All state is left out for a vendor that refused some of it as another account's. The texts of thoughts stay. */
const allState = (model: string): StateFilter => ({
  isForeign: () => true,
  keepsTexts: true,
  model,
})

/**
 * Words by which vendors refuse state of another account or vendor:
 * - OpenAI: `invalid_encrypted_content` https://github.com/openai/codex/issues/8145, "Item with id 'rs_…' not found."
 *   https://github.com/earendil-works/pi/issues/5059, "provided without its required 'reasoning' item"
 *   https://github.com/omnigent-ai/omnigent/issues/5066, "… without its required following item"
 *   https://github.com/vercel/ai/issues/7099
 * - Anthropic, Bedrock, Vertex: "Invalid `signature` in `thinking` block" https://github.com/ding113/claude-code-hub/issues/518
 *   and "Invalid signature in thinking block" https://github.com/linanwx/nagobot/issues/21
 * - Gemini: "Function call is missing a thought_signature" https://github.com/nanbingxyz/5ire/issues/405, "function call `…`
 *   … is missing a `thought_signature`" https://github.com/GewoonJaap/gemini-cli-openai/issues/156
 */
const refusals = [
  /invalid_encrypted_content|encrypted content .{0,200}could not be verified/i,
  /Item with id '?rs_\S* not found|without its required '?(reasoning|following)/i,
  /invalid `?(signature|data)`? in `?(redacted_)?thinking`? block/i,
  /missing a `?thought_signature|(corrupted|invalid) thought.?signature/i,
]

/** Says whether the vendor refused the request because of state that is not its own, and that can be left out. */
export const refusesState = (
  { parsed, dialect }: CallContext,
  { dropsState, translation, upstreamModel }: Attempt,
  { status, body }: { status: number; body: string },
): boolean => {
  if (dropsState || !isStateRefusal(status, body)) return false
  const sent = translation ? translation.parsed : parsed
  const format = translation ? translation.to.id : dialect.id
  return stateEdits(format, sent, {}, allState(upstreamModel)).dropped.size > 0
}

const isStateRefusal = (status: number, body: string): boolean =>
  (status === 400 || status === 404) && refusals.some(each => each.test(body.replace(/\\+"/g, '"')))

/** A refusal of state that is not the vendor's own. */
export type StateRefusal = { refusesState?: true }

/**
 * Repeats a request once without the state of vendors where that was refused as another account's. It is a step inside
 * the attempt: the refusal speaks neither against channel nor key, and another channel would refuse the state too.
 */
export const openWithoutState = async <Opened extends object>(
  { abort }: Pick<CallContext, 'abort'>,
  open: (dropsState: boolean) => Promise<Opened>,
): Promise<Opened> => {
  const first = await open(false)
  if (!('refusesState' in first) || abort.reason !== undefined) return first
  return open(true)
}

/** The references of a request without items that are left out as invented by the gateway. */
export const withoutForeign = (
  references: readonly Reference[] | undefined,
  state: StateFilter | undefined,
): readonly Reference[] | undefined =>
  state ? references?.filter(each => !(each.isItem && state.isForeign(each.id))) : references
