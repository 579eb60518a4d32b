export type Option = {
  key: string
  title: string
  description: string | undefined
  kind: 'boolean' | 'number' | 'text'
  choices: string[] | undefined
  initial: unknown
}
export type Plugin = {
  id: string
  title: string
  description: string | undefined
  options: Option[]
}

/** The words of a language for a place such as `customize.title`, where it has some. */
type Words = (key: string) => string | undefined

/**
 * What a provider's JSON Schema asks for: an object of plugins, each an object of options. Without words of the language
 * the provider's own stand there.
 */
export const pluginsOf = (schema: Record<string, unknown>, words: Words): Plugin[] =>
  Object.entries(properties(schema)).flatMap(([id, plugin]) => {
    const options = Object.entries(properties(plugin)).map(([key, option]) =>
      optionOf(key, option, each => words(`${id}.options.${key}.${each}`)),
    )
    if (options.length === 0) return []
    const title = words(`${id}.title`) ?? text(plugin.label) ?? id
    return [{ id, title, description: words(`${id}.help`) ?? text(plugin.help), options }]
  })

const optionOf = (key: string, schema: Record<string, unknown>, words: Words): Option => ({
  key,
  title: words('title') ?? text(schema.label) ?? key,
  description: words('help') ?? text(schema.help),
  kind: kindOf(schema.type),
  choices: Array.isArray(schema.enum) ? schema.enum.map(String) : undefined,
  initial: schema.default,
})

const kindOf = (type: unknown): Option['kind'] => {
  if (type === 'boolean') return 'boolean'
  return type === 'number' || type === 'integer' ? 'number' : 'text'
}

const properties = (schema: Record<string, unknown>): Record<string, Record<string, unknown>> => {
  const found = schema.properties
  return typeof found === 'object' && found !== null
    ? (found as Record<string, Record<string, unknown>>)
    : {}
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
