export type PluginOption = {
  key: string
  title: string
  description: string | undefined
  kind: 'boolean' | 'number' | 'text'
  /** A text of several lines. */
  multiline: boolean
  choices: { value: string; label: string }[] | undefined
  initial: unknown
}
export type PluginForm = {
  id: string
  title: string
  description: string | undefined
  options: PluginOption[]
}

/** Translates a key such as `customize.title`; undefined if there is no translation. */
type Translate = (key: string) => string | undefined

/**
 * Reads a provider's JSON Schema: an object of plugins, each an object of options. Options without a translation keep
 * the provider's own labels.
 */
export const pluginFormsOf = (
  schema: Record<string, unknown>,
  translate: Translate,
): PluginForm[] =>
  Object.entries(properties(schema)).flatMap(([id, plugin]) => {
    const options = Object.entries(properties(plugin)).map(([key, option]) =>
      optionOf(key, option, each => translate(`${id}.options.${key}.${each}`)),
    )
    if (options.length === 0) return []
    const title = translate(`${id}.title`) ?? text(plugin.label) ?? id
    return [{ id, title, description: translate(`${id}.help`) ?? text(plugin.help), options }]
  })

const optionOf = (
  key: string,
  schema: Record<string, unknown>,
  translate: Translate,
): PluginOption => ({
  key,
  title: translate('title') ?? text(schema.label) ?? key,
  description: translate('help') ?? text(schema.help),
  kind: kindOf(schema.type),
  choices: Array.isArray(schema.enum)
    ? schema.enum
        .map(String)
        .map(value => ({ value, label: translate(`choices.${value}`) ?? value }))
    : undefined,
  multiline: schema.multiline === true,
  initial: schema.default,
})

const kindOf = (type: unknown): PluginOption['kind'] => {
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
