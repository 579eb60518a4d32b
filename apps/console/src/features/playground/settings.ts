import {
  type CallParameters,
  type CallTool,
  type DialectId,
  temperatureMax,
} from '../../domain/calls/index.ts'

/** The fields of the form, as typed. Empty: not sent. */
export type Settings = {
  tokenId: number
  /** Empty: the first model. */
  model: string
  /** A second model that answers the same questions; empty: none. Undefined: no comparison. */
  secondModel?: string | undefined
  dialect: DialectId
  system: string
  temperature: string
  topP: string
  maxTokens: string
  effort: string
  tools: string
}
export type SettingsField = 'temperature' | 'topP' | 'maxTokens' | 'tools'
export type SetSettings = (patch: Partial<Settings>) => void

/** Stands for the token of the playground, which the server creates on demand. */
export const ownTokenId = 0

export const noSettings: Settings = {
  ...{ tokenId: ownTokenId, model: '', dialect: 'openai-chat', system: '' },
  ...{ temperature: '', topP: '', maxTokens: '', effort: '', tools: '' },
}

export const maxTokensMax = 1_000_000

/** A key of the texts with its values. */
type FieldError = { key: string; values?: Record<string, string | number> }
export type SettingsErrors = Partial<Record<SettingsField, FieldError>>
type ReadSettings = { parameters: CallParameters; tools: CallTool[]; errors: SettingsErrors }

/** Reads the fields of the form. What is empty is absent. */
export const readSettings = (settings: Settings): ReadSettings => {
  const errors: SettingsErrors = {}
  const number = (field: 'temperature' | 'topP' | 'maxTokens', min: number, max: number) => {
    const text = settings[field].trim()
    if (text === '') return undefined
    const value = Number(text)
    const isWhole = field !== 'maxTokens' || Number.isInteger(value)
    if (value >= min && value <= max && isWhole) return value
    const key = field === 'maxTokens' ? 'playground.wholeRange' : 'playground.range'
    errors[field] = { key, values: { min, max } }
    return undefined
  }
  const temperature = number('temperature', 0, temperatureMax(settings.dialect))
  const topP = number('topP', 0, 1)
  const maxTokens = number('maxTokens', 1, maxTokensMax)
  const tools = readTools(settings.tools)
  if ('key' in tools) errors.tools = tools
  return {
    parameters: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { topP }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(settings.effort ? { effort: settings.effort } : {}),
    },
    tools: 'key' in tools ? [] : tools,
    errors,
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads tool definitions as OpenAI, Anthropic or Gemini write them, or as plain name, description and parameters. */
export const readTools = (text: string): CallTool[] | FieldError => {
  if (text.trim() === '') return []
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    return { key: 'playground.toolsJson', values: { message: (error as Error).message } }
  }
  if (!Array.isArray(list)) return { key: 'playground.toolsList' }
  const tools: CallTool[] = []
  for (const [index, each] of list.entries()) {
    const tool = readTool(each, index + 1)
    if ('key' in tool) return tool
    if (tools.some(({ name }) => name === tool.name))
      return { key: 'playground.toolsTwice', values: { name: tool.name } }
    tools.push(tool)
  }
  return tools
}

const readTool = (entry: unknown, number: number): CallTool | FieldError => {
  const outer = isObject(entry) ? entry : {}
  const tool = isObject(outer.function) ? outer.function : outer
  const { name, description } = tool
  const parameters = tool.parameters ?? tool.input_schema ?? { type: 'object', properties: {} }
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    return { key: 'playground.toolName', values: { number } }
  if (description !== undefined && typeof description !== 'string')
    return { key: 'playground.toolDescription', values: { name } }
  if (!isObject(parameters)) return { key: 'playground.toolParameters', values: { name } }
  return { name, ...(description === undefined ? {} : { description }), parameters }
}
