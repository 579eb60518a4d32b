import { providerOf } from '@hub/providers'
import type { ImportedChannel } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import { headerOverride } from '../sources/header-override.ts'
import { isJsonObject, type JsonMap } from '../sources/json.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { channelRules } from '../sources/table-rules.ts'
import { idOf, integerOf, jsonOf, textOf } from '../sources/values.ts'
import type { MappedType } from './channel-types.ts'
import { channelKeysOf } from './keys.ts'
import { parametersOf, statusCodesOf } from './overrides/overrides.ts'

const bedrock = 32
const vertex = 42
const custom = 8

export const readChannels = async (
  source: SourceDatabase,
  types: Record<number, MappedType>,
  log: ReadLog,
): Promise<ImportedChannel[]> =>
  (await readRows(source, channelRules, log)).map(row => channelOf(row, types))

const channelOf = (row: SourceRow, types: Record<number, MappedType>): ImportedChannel => {
  const number = integerOf(row, 'type')
  const mapped = types[number] ?? { unknown: `type ${number}` }
  const type = 'type' in mapped ? mapped.type : custom
  const address = textOf(row, 'base_url').trim()
  const notes: string[] = []
  const { disabledKeys, key_rotation, problem, ...stored } = channelKeysOf(row, notes)
  const form = (key: string) => formOf(key, type)
  const keys = stored.keys.map(form)
  return {
    id: idOf(row, 'id'),
    fields: {
      type,
      name: textOf(row, 'name') || `Channel ${idOf(row, 'id')}`,
      base_url: address || ('baseUrl' in mapped && mapped.baseUrl) || '',
      other: otherOf(row, type, keys),
      models: textOf(row, 'models').trim(),
      group: textOf(row, 'group').trim() || 'default',
      tag: textOf(row, 'tag'),
      model_mapping: mapOrEmpty(textOf(row, 'model_mapping')),
      test_model: textOf(row, 'test_model'),
      // A weight of 0 is the smallest share there, and no share here.
      weight: Math.max(1, integerOf(row, 'weight')),
      priority: Math.max(0, integerOf(row, 'priority')),
      key_rotation,
      ...settingsOf(row, type, notes),
    },
    keys,
    disabledKeys: disabledKeys.map(each => ({ ...each, key: form(each.key) })),
    notes,
    isEnabled: integerOf(row, 'status') === 1,
    problem: 'unknown' in mapped ? `there is no channel type for ${mapped.unknown}` : problem,
    used: integerOf(row, 'used_quota'),
    createdAt: integerOf(row, 'created_time'),
  }
}

/** There AccessKeyID|SecretAccessKey|Region, here the region comes first. */
const formOf = (key: string, type: number): string =>
  type === bedrock ? key.replace(/^([^|]+)\|([^|]+)\|([^|]+)$/, '$3|$1|$2') : key

/** Vertex AI: a region, or a map of regions by model, there; region and project here. */
const otherOf = (row: SourceRow, type: number, keys: readonly string[]): string => {
  const text = textOf(row, 'other').trim()
  if (type !== vertex) return text
  const regions = jsonOf(row, 'other')
  const region = isJsonObject(regions) ? (regions.default ?? Object.values(regions)[0]) : text
  return `${region || 'global'}|${projectOf(keys[0] ?? '')}`
}

const projectOf = (key: string): string => {
  try {
    const { project_id } = JSON.parse(key) as { project_id?: unknown }
    return typeof project_id === 'string' ? project_id : ''
  } catch {
    return ''
  }
}

const mapOrEmpty = (text: string): string => (text.trim() === '{}' ? '' : text.trim())

/** Columns of New API that have a counterpart here; `notes` gets the others. */
const settingsOf = (row: SourceRow, type: number, notes: string[]) => {
  const setting = objectOf(row, 'setting')
  const {
    proxy = '',
    system_prompt,
    system_prompt_override,
    thinking_to_content,
    ...others
  } = setting
  const used = Object.entries(others).filter(([, value]) => value && value !== '0')
  for (const [name] of used) notes.push(`the setting \`${name}\` is not carried`)
  const parameter = parametersOf(objectOf(row, 'param_override'), notes)
  const status_codes = statusCodesOf(objectOf(row, 'status_code_mapping'), notes)
  const answers = {
    ...(status_codes === '' ? {} : { status_codes }),
    ...(thinking_to_content === true ? { thoughts_as_text: true } : {}),
  }
  const { watch, others: otherSettings } = readWatch(objectOf(row, 'settings'), type, notes)
  const otherUsed = Object.entries(otherSettings).filter(([, value]) => isSet(value))
  for (const [name] of otherUsed) notes.push(`the setting \`${name}\` is not carried`)
  if (textOf(row, 'auto_ban') === '0')
    notes.push('it was never disabled by failures there, and is here by the settings')
  // The column of One API replaces the caller's prompt. New API adds to it, or stands in for one that is missing.
  const position = system_prompt_override === true ? 'before' : 'missing'
  const systemPrompt =
    promptOf(system_prompt, position) ?? promptOf(textOf(row, 'system_prompt'), 'replace')
  const headers = headersOf(row, notes)
  return {
    plugin: {
      ...(systemPrompt ? { system_prompt: systemPrompt } : {}),
      ...(Object.keys(answers).length > 0 ? { answers } : {}),
      ...(watch ? { watch } : {}),
    },
    proxy: String(proxy),
    custom_parameter: parameter,
    model_headers: Object.keys(headers).length > 0 ? JSON.stringify(headers) : '',
  }
}

/** A pattern of New API. A name with a star has no meaning there. */
const ignoredPattern = 'regex:'

/**
 * The watch of the vendor's list of models among the settings of a channel, and the settings that are left. Times and
 * lists of the last check are read anew. https://github.com/QuantumNous/new-api/blob/main/dto/channel_settings.go
 */
const readWatch = (settings: JsonMap, type: number, notes: string[]) => {
  const {
    upstream_model_update_check_enabled: isChecked,
    upstream_model_update_auto_sync_enabled: isApplied,
    upstream_model_update_ignored_models: ignored,
    upstream_model_update_last_check_time: _checkedAt,
    upstream_model_update_last_detected_models: _detected,
    upstream_model_update_last_removed_models: _removed,
    ...others
  } = settings
  // Without the check the other setting has no effect there.
  if (isChecked !== true) return { watch: undefined, others }
  if (providerOf(type)?.modelListPath === undefined) {
    notes.push('`upstream_model_update_check_enabled` is not carried: the type has no model list')
    return { watch: undefined, others }
  }
  if (isApplied === true)
    notes.push(
      'it adds new models only if they have a price, and proposes the removal of models that its vendor no longer lists',
    )
  const names = Array.isArray(ignored) ? ignored.map(each => String(each).trim()) : []
  const patterns = names.filter(each => each.startsWith(ignoredPattern) || /[,*]/.test(each))
  if (patterns.length > 0)
    notes.push(`ignored models are not carried: ${patterns.map(each => `\`${each}\``).join(', ')}`)
  const plain = names.filter(each => each !== '' && !patterns.includes(each))
  return {
    watch: {
      models: isApplied === true ? 'apply' : 'propose',
      ...(plain.length > 0 ? { ignored: plain.join(', ') } : {}),
    },
    others,
  }
}

const promptOf = (text: unknown, position: 'before' | 'missing' | 'replace') =>
  typeof text === 'string' && text.trim() !== '' ? { text, position } : undefined

/** A switch that is off and an empty list say nothing. */
const isSet = (value: unknown): boolean =>
  Boolean(value) && !(Array.isArray(value) && value.length === 0)

const headersOf = (row: SourceRow, notes: string[]): Record<string, string> => {
  const organization = textOf(row, 'open_ai_organization') || textOf(row, 'openai_organization')
  return {
    ...(organization ? { 'OpenAI-Organization': organization } : {}),
    ...headerOverride(row, notes),
  }
}

const objectOf = (row: SourceRow, column: string): JsonMap => {
  const value = jsonOf(row, column)
  return isJsonObject(value) ? value : {}
}
