import type { ParameterCondition, ParameterRule } from '@hub/contract'
import type { Edits, Json, ParsedRequest } from '@hub/dialects'

type Request = Pick<ParsedRequest, 'body' | 'fieldRanges' | 'model'>

/** Applies the rules one after another to the request after the edits so far, which it changes. */
export const applyParameterRules = (
  rules: readonly ParameterRule[],
  edits: Edits,
  request: Request,
  upstreamModel: string,
): void => {
  const fields = fieldsOf(edits, request)
  const names = [request.model, upstreamModel]
  for (const rule of rules) {
    const holds = (each: ParameterCondition) => isMet(each, fields, names)
    const { when = [] } = rule
    if (when.length > 0 && !(rule.any ? when.some(holds) : when.every(holds))) continue
    for (const [path, value] of Object.entries(rule.set ?? {})) fields.set(path, value)
    for (const [path, value] of Object.entries(rule.default ?? {}))
      if (!isPresent(fields.get(path))) fields.set(path, value)
    for (const path of rule.delete ?? []) fields.delete(path)
  }
}

type ChangedFields = {
  get(path: string): Json
  set(path: string, value: unknown): void
  delete(path: string): void
}

const fieldsOf = (edits: Edits, { body, fieldRanges }: Request): ChangedFields => {
  const top = (name: string): Json => {
    if (Object.hasOwn(edits, name)) return edits[name]
    const range = fieldRanges.get(name)
    return range && JSON.parse(body.toString('utf8', range.start, range.end))
  }
  return {
    get: path => {
      const [name, ...inner] = path.split('.')
      return inner.reduce((value, key) => own(value, key), top(name!))
    },
    set: (path, value) => {
      const [name, ...inner] = path.split('.')
      edits[name!] = changed(top(name!), inner, value)
    },
    delete: path => {
      const [name, ...inner] = path.split('.')
      const value = top(name!)
      if (inner.length === 0) edits[name!] = undefined
      else if (isObject(value)) edits[name!] = changed(value, inner, undefined)
    },
  }
}

/** The value with another one at the path; undefined removes that. Objects that are missing on the way are made. */
const changed = (value: Json, [key, ...rest]: readonly string[], next: unknown): Json => {
  if (key === undefined) return next
  if (Array.isArray(value)) {
    if (!/^\d+$/.test(key) || Number(key) >= value.length) return value
    return value.with(Number(key), changed(value[Number(key)], rest, next))
  }
  const before = isObject(value) ? value : {}
  if (next === undefined && !Object.hasOwn(before, key)) return value
  const inner = changed(own(before, key), rest, next)
  const { [key]: _, ...others } = before
  return inner === undefined ? others : { ...before, [key]: inner }
}

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null

const own = (value: Json, key: string): Json =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

const isPresent = (value: Json): boolean => value !== undefined && value !== null

const isMet = (
  condition: ParameterCondition,
  fields: ChangedFields,
  names: readonly string[],
): boolean => {
  if ('model' in condition) return names.some(each => matches(each, condition.model))
  const value = fields.get(condition.field)
  if ('is' in condition) return isPresent(value) === (condition.is === 'present')
  if ('matches' in condition) return isPlain(value) && matches(String(value), condition.matches)
  return JSON.stringify(value) === JSON.stringify(condition.equals)
}

const isPlain = (value: Json): boolean => isPresent(value) && !isObject(value)

/** `*` stands for any text, also none. */
const matches = (text: string, pattern: string): boolean => {
  const [first, ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  if (!text.startsWith(first!)) return false
  const last = rest.pop()!
  let at = first!.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
