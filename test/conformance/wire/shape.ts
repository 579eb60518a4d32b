/** A check of one place in an answer: sentences on what is wrong there. */
export type Rule = (value: unknown, at: string) => string[]

const kind = (name: string, fits: (value: unknown) => boolean): Rule => {
  return (value, at) => (fits(value) ? [] : [`${at} is ${JSON.stringify(value)}, not ${name}`])
}

export const text = kind('a text', value => typeof value === 'string')
export const words = kind('a text with letters', value => typeof value === 'string' && value !== '')
export const count = kind('a count', value => Number.isSafeInteger(value) && Number(value) >= 0)
export const number = kind('a number', value => Number.isFinite(value))
export const flag = kind('true or false', value => typeof value === 'boolean')
export const nothing = kind('null', value => value === null)
export const object = kind(
  'an object',
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
)
export const any: Rule = () => []

export const one = (...values: readonly (string | null)[]): Rule =>
  kind(`one of ${values.join(', ')}`, value => values.includes(value as string))

export const orNull =
  (rule: Rule): Rule =>
  (value, at) =>
    value === null ? [] : rule(value, at)

export const many =
  (rule: Rule, least = 0): Rule =>
  (value, at) => {
    if (!Array.isArray(value)) return [`${at} is no list`]
    const few = value.length < least ? [`${at} has ${value.length} members`] : []
    return [...few, ...value.flatMap((each, index) => rule(each, `${at}[${index}]`))]
  }

/** Exactly these keys; one that ends with `?` may be absent. */
export const fields = (rules: Readonly<Record<string, Rule>>): Rule => {
  const known = new Map(
    Object.entries(rules).map(([key, rule]) => [
      key.replace(/\?$/, ''),
      { rule, isOptional: key.endsWith('?') },
    ]),
  )
  return (value, at) => {
    const wrong = object(value, at)
    if (wrong.length > 0) return wrong
    const unknown = Object.keys(value as object).filter(key => !known.has(key))
    return [
      ...unknown.map(key => `${at}.${key} is not of this dialect`),
      ...[...known].flatMap(([key, { rule, isOptional }]) => {
        const found = (value as Record<string, unknown>)[key]
        if (found === undefined) return isOptional ? [] : [`${at}.${key} is missing`]
        return rule(found, `${at}.${key}`)
      }),
    ]
  }
}

/** The rule by the value of a key, which all have. */
export const by =
  (key: string, rules: Readonly<Record<string, Rule>>): Rule =>
  (value, at) => {
    const name = (value as Record<string, unknown> | null)?.[key]
    const rule = rules[String(name)]
    return rule ? rule(value, at) : [`${at}.${key} is ${JSON.stringify(name)}`]
  }
