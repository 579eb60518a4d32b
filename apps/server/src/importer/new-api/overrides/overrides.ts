import { type ParameterCondition, ParameterRule } from '@hub/contract'
import { isJsonObject, type JsonMap } from '../../sources/json.ts'

/** The custom parameter of a channel: what `param_override` sets, or its operations as rules. `notes` gets the others. */
export const parametersOf = (override: JsonMap, notes: string[]): string => {
  const { operations, ...set } = override
  const rules = Array.isArray(operations)
    ? operations.flatMap((each, index) => ruleOf(each, index, notes))
    : []
  if (operations !== undefined && !Array.isArray(operations))
    notes.push('the operations of `param_override` cannot be read')
  if (rules.length > 0) return JSON.stringify({ overwrite: true, ...set, rules })
  return Object.keys(set).length > 0 ? JSON.stringify({ overwrite: true, ...set }) : ''
}

/** An operation that has no counterpart, or that a rule may not do here, is named by its place. */
const ruleOf = (operation: unknown, index: number, notes: string[]): ParameterRule[] => {
  const rule = isJsonObject(operation) ? translated(operation) : undefined
  const read = ParameterRule.safeParse(rule)
  if (read.success) return [read.data]
  const mode = isJsonObject(operation) ? String(operation.mode) : ''
  notes.push(`the operation ${index} (\`${mode}\`) of \`param_override\` is not carried`)
  return []
}

const translated = (operation: JsonMap): object | undefined => {
  const { mode, path, value, keep_origin, conditions, logic } = operation
  if (typeof path !== 'string') return undefined
  const when = conditionsOf(conditions)
  if (!when) return undefined
  // The conditions of New API are alternatives unless the operation says AND.
  const common = when.length === 0 ? {} : { when, ...(isAnd(logic) ? {} : { any: true }) }
  if (mode === 'delete') return { ...common, delete: [path] }
  if (mode !== 'set') return undefined
  return { ...common, [keep_origin === true ? 'default' : 'set']: { [path]: value } }
}

const isAnd = (logic: unknown): boolean => String(logic).toUpperCase() === 'AND'

/** Undefined where one of them has no counterpart. */
const conditionsOf = (conditions: unknown): ParameterCondition[] | undefined => {
  if (conditions === undefined || conditions === null) return []
  if (!Array.isArray(conditions)) return undefined
  const all = conditions.map(each => (isJsonObject(each) ? conditionOf(each) : undefined))
  return all.every(each => each !== undefined) ? all : undefined
}

const modelPaths = new Set(['model', 'original_model', 'upstream_model'])

const conditionOf = (condition: JsonMap): ParameterCondition | undefined => {
  const { path, mode, value, invert, pass_missing_key } = condition
  if (typeof path !== 'string' || invert === true || pass_missing_key === true) return undefined
  const isModel = modelPaths.has(path)
  if (mode === 'full')
    return isModel
      ? { model: String(value) }
      : ({ field: path, equals: value } as ParameterCondition)
  // A star in the text would mean any text here.
  if (typeof value !== 'string' || value.includes('*')) return undefined
  const pattern = { prefix: `${value}*`, suffix: `*${value}`, contains: `*${value}*` }[String(mode)]
  if (pattern === undefined) return undefined
  return isModel ? { model: pattern } : { field: path, matches: pattern }
}

/** As the option of a channel has them. What is no pair of errors is named in `notes`. */
export const statusCodesOf = (mapping: JsonMap, notes: string[]): string =>
  Object.entries(mapping)
    .filter(([from, to]) => {
      const isCarried = isError(from) && isError(String(to))
      if (!isCarried) notes.push(`\`${from}\` of \`status_code_mapping\` is not carried`)
      return isCarried
    })
    .map(([from, to]) => `${from}: ${to}`)
    .join(', ')

const isError = (status: string): boolean => /^[45]\d\d$/.test(status)
