import type { ParameterRule } from '@hub/contract'
import { readFieldRanges, readReasoningRequest } from '@hub/dialects'

/**
 * True where an operator's parameters or rules may make a model reason that the caller's request turns off, whatever their
 * conditions.
 */
export const operatorAsksReasoning = (
  parameter: Readonly<Record<string, unknown>>,
  rules: readonly ParameterRule[] = [],
): boolean => {
  const { overwrite, rules: _, ...fields } = parameter
  const objects = [fields, ...(parameter.per_model ? Object.values(fields) : [])].filter(
    each => typeof each === 'object' && each !== null,
  )
  return (
    objects.some(each =>
      Object.entries(each as object).some(
        ([name, value]) => asks(name, value) || (Boolean(overwrite) && takesOff(name, value)),
      ),
    ) || rulesAskReasoning(rules)
  )
}

/** Tells whether rules alone may do so, such as those of a virtual model's candidate. */
export const rulesAskReasoning = (rules: readonly ParameterRule[]): boolean =>
  rules.some(
    ({ set = {}, default: added = {}, delete: deleted = [] }) =>
      [...Object.entries(set), ...Object.entries(added)].some(([path, value]) =>
        asks(path, value),
      ) ||
      Object.entries(set).some(([path, value]) => takesOff(path, value)) ||
      deleted.some(path => takesOff(path, null)),
  )

const requestOf = (path: string, value: unknown) => {
  const [name = '', ...inner] = path.split('.')
  const whole = inner.reduceRight<unknown>((part, key) => ({ [key]: part }), value)
  const body = Buffer.from(JSON.stringify({ [name]: whole }))
  const read = readFieldRanges(body, 0, body.length, [])
  return read.ok ? readReasoningRequest({ body, fieldRanges: read.fieldRanges }) : 'unset'
}

const asks = (path: string, value: unknown): boolean => requestOf(path, value) === 'on'

const reasoningPath = /think|reason|effort|^generation_?config$/i

/** The caller's own words are replaced or deleted, which may have turned reasoning off. */
const takesOff = (path: string, value: unknown): boolean =>
  reasoningPath.test(path) && requestOf(path, value) !== 'off'
