import type { Json } from '../json/json.ts'
import type { Collector } from './collector.ts'
import { overheadOf } from './vendors.ts'

/** Collects declared tools. Vendors show the model a shorter notation than JSON: names, types and descriptions. */
export const addTools = (into: Collector, value: Json): void => {
  const tools = (Array.isArray(value) ? value : []).flatMap(declarationsOf)
  if (tools.length === 0) return
  const { tools: once, tool } = overheadOf[into.vendor]
  into.tokens += once
  for (const each of tools) {
    into.tokens += tool
    into.texts.push(`${each.name ?? each.type ?? ''}:${textOf(each.description)}`)
    addProperties(into, schemaOf(each))
  }
}

/** Chat wraps a function, Gemini lists several; Responses groups them in namespaces. */
const declarationsOf = (tool: Json): Json[] => {
  const listed = tool?.functionDeclarations ?? tool?.function_declarations ?? tool?.tools
  if (Array.isArray(listed)) return listed.flatMap(declarationsOf)
  const declared = tool?.function ?? tool?.toolSpec ?? tool
  return typeof declared === 'object' && declared !== null ? [declared] : []
}

const schemaOf = (tool: Json): Json =>
  tool.parameters ??
  tool.parametersJsonSchema ??
  tool.input_schema ??
  tool.inputSchema?.json ??
  tool.inputSchema ??
  tool.schema

/** Collects the schema of a structured answer. */
export const addSchema = (into: Collector, value: Json): void => {
  const schema = value?.schema
  if (typeof schema !== 'object' || schema === null) return
  into.tokens += overheadOf[into.vendor].tool
  into.texts.push(`${textOf(value.name)}:${textOf(value.description)}`)
  addProperties(into, schema)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const depthMax = 32

const addProperties = (into: Collector, schema: Json, depth = 0): void => {
  if (typeof schema !== 'object' || schema === null || depth > depthMax) return
  const { object, property, choices, choice } = overheadOf[into.vendor]
  const properties = Object.entries<Json>(schema.properties ?? {})
  if (properties.length > 0) into.tokens += object
  for (const [name, value] of properties) {
    const type = Array.isArray(value?.type) ? value.type.join(' | ') : textOf(value?.type)
    const ending = textOf(value?.description).replace(/\.$/, '')
    into.texts.push(`${name}:${type.toLowerCase()}:${ending}`)
    into.tokens += property
    if (Array.isArray(value?.enum)) into.tokens += choices
    for (const each of Array.isArray(value?.enum) ? value.enum : []) {
      into.tokens += choice
      into.texts.push(String(each))
    }
    addProperties(into, value, depth + 1)
  }
  for (const nested of [schema.items, schema.additionalProperties])
    addProperties(into, nested, depth + 1)
  for (const group of [schema.anyOf, schema.oneOf, schema.allOf])
    for (const each of Array.isArray(group) ? group : []) addProperties(into, each, depth + 1)
  for (const each of Object.values<Json>(schema.$defs ?? schema.definitions ?? {}))
    addProperties(into, each, depth + 1)
}
