import {
  type CallerHeader,
  credentialEnding,
  type HeaderFamily,
  type NeverReason,
  neverPassed,
  neverReasons,
  passedByFamily,
  passedByProvider,
  passedEverywhere,
  passedTranslated,
  unremarkable,
} from './caller-headers.ts'
import { hasName, listedNames, makeNameSet } from './name-set.ts'

const never = (Object.keys(neverPassed) as NeverReason[]).map(
  reason => [reason, makeNameSet(neverPassed[reason])] as const,
)

/** Why a header never leaves; undefined where a channel may pass it. */
export const neverReasonOf = (name: string): NeverReason | undefined =>
  never.find(([, names]) => hasName(names, name))?.[0] ??
  (credentialEnding.test(name) ? 'credential' : undefined)

/** Reasons for which the caller may miss a header at the vendor. */
const missed: ReadonlySet<NeverReason | undefined> = new Set(['account', 'identity', undefined])
const ordinary = makeNameSet(unremarkable)

/** A header that is not passed is named on the page of the call, unless nobody misses it. */
export const isMissed = (name: string): boolean =>
  missed.has(neverReasonOf(name)) && !hasName(ordinary, name)

const namesOf = (headers: readonly CallerHeader[] = []): string[] => headers.map(each => each.name)

/** The headers that pass: in the caller's own format, or in another one. */
export const passedNames = (
  providerId: string,
  family: HeaderFamily | 'other' | 'translated',
): readonly string[] =>
  family === 'translated'
    ? namesOf(passedTranslated)
    : [
        ...namesOf(passedEverywhere),
        ...(family === 'other' ? [] : namesOf(passedByFamily[family])),
        ...namesOf(passedByProvider[providerId]),
      ]

/** The family of a format. Formats of one vendor, and those of reranking, have no headers of their own. */
export const headerFamilyOf = (format: string): HeaderFamily | 'other' => {
  if (format === 'anthropic' || format === 'gemini') return format
  return format === 'openai' || format.startsWith('openai-') ? 'openai' : 'other'
}

const listMax = 50

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2, and a `*` at the end. */
const listable = /^(\*|[!#$%&'+.^_`|~\w-]{2,64}\*?)$/

/** Names the first fault in a channel's list of headers to pass; undefined where it has none. */
export const headerListProblem = (text: string): string | undefined => {
  const names = listedNames(text)
  if (names.length > listMax) return `at most ${listMax} names`
  for (const name of names) {
    if (!listable.test(name)) return `'${name.slice(0, 64)}' is not the name of a header`
    const reason = name === '*' ? undefined : neverReasonOf(name.replace(/\*$/, ''))
    if (reason) return `'${name}' is never passed: it ${neverReasons[reason]}`
  }
  return undefined
}
