import {
  dialectOf,
  isDialect,
  type ParsedRequest,
  type SharedDialectId,
  withoutEmptyMessages,
} from '@hub/dialects'
import {
  deepEdits,
  type Endpoint,
  ownMessageRules,
  type Provider,
  topEdits,
  upstreamDialectOf,
} from '@hub/providers'
import { vendorChecks } from '../../../../test/upstream/model-rules/index.ts'
import { chat } from '../../src/relay/operations/chat.ts'
import { chooseEndpoint } from '../../src/relay/routing/endpoint.ts'
import { keepRules } from '../../src/relay/translate/keep-rules.ts'
import { type Question, type QuestionKind, questions } from './questions.ts'
import { type CallerDialect, writers } from './writers.ts'

/**
 * `met`: the vendor accepts what leaves. `refused`: the gateway says that it cannot be. `passed`: the vendor refuses what
 * its own caller wrote. `broken`: the vendor refuses what the gateway wrote, which must not be.
 */
export type GridOutcome = {
  result: 'met' | 'refused' | 'passed' | 'broken'
  /** The caller speaks the dialect of the vendor's endpoint. */
  isOwn: boolean
  words: string
}

type Class = { provider: Provider; model: string }

/** The outcome of one kind of question: through the same functions as a call, with the vendor's rules at the end. */
export const outcomeOf = (
  caller: CallerDialect,
  kind: QuestionKind,
  { provider, model }: Class,
): GridOutcome => {
  const question: Question = questions[kind]
  const body = Buffer.from(JSON.stringify(writers[caller](question, model)))
  const from = dialectOf(caller)
  const read = from.read(body, { model, stream: false })
  if (!read.ok) return { result: 'refused', isOwn: false, words: read.hint }
  const { parsed } = read
  const { endpoint, mode } = chooseEndpoint(provider, {
    operation: 'chat',
    dialect: caller,
    model,
    request: parsed,
  })
  const check = vendorChecks[`${provider.id}/${endpoint.dialect}`]
  if (!check) throw new Error(`no rules of ${provider.id}/${endpoint.dialect}`)
  const passes = mode === 'pass' && chat.canPassThrough(from, endpoint, parsed)
  const leaving = passes ? parsed : translated(parsed, caller, endpoint, model)
  const isOwn = endpoint.dialect === caller
  if ('refusal' in leaving) return { result: 'refused', isOwn, words: leaving.refusal }
  const edits = topEdits(endpoint.quirks, leaving, model, {}, {})
  const edited = deepEdits(
    endpoint.quirks,
    upstreamDialectOf(endpoint).splice(leaving, edits),
    model,
  )
  const sent = withoutEmptyMessages(edited, endpoint.dialect, ownMessageRules(endpoint, model))
  const words = check(JSON.parse(sent.toString()), model)
  if (words === undefined) return { result: 'met', isOwn, words: '' }
  return { result: isOwn ? 'passed' : 'broken', isOwn, words }
}

const translated = (
  { body }: ParsedRequest,
  caller: CallerDialect,
  endpoint: Endpoint,
  model: string,
): ParsedRequest | { refusal: string } => {
  const from = dialectOf(caller)
  const to = upstreamDialectOf(endpoint)
  if (!isDialect(from)) throw new Error(caller)
  const decoded = from.decodeRequest(JSON.parse(body.toString()), { model, stream: false })
  if (!decoded.ok) return { refusal: decoded.hint }
  const plain = from.flattenTools?.(decoded.request) ?? decoded.request
  const kept = keepRules({ ...plain, model }, { from, to, endpoint, model })
  if (kept.refusal !== undefined) return { refusal: kept.refusal }
  const encoded = dialectOf(endpoint.dialect as SharedDialectId).encodeRequest(kept.request, {})
  const read = to.read(Buffer.from(JSON.stringify(encoded.body)), { model, stream: false })
  if (!read.ok) throw new Error(read.hint)
  return read.parsed
}
