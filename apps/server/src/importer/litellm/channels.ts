import { providerOf } from '@hub/providers'
import type { ImportedChannel } from '../gateway-data.ts'
import type { JsonMap } from '../sources/json.ts'
import { flagOf, secondsOf } from '../sources/values.ts'
import { providerOfModel } from './channel-types.ts'
import type { Deployment } from './deployments.ts'
import { hasOwnPrice, priceFields } from './prices.ts'
import { mapOf } from './secrets.ts'
import type { Team } from './teams.ts'

const [azure, bedrock, vertex, custom] = [3, 32, 42, 8]

export const channelOf = (
  deployment: Deployment,
  all: readonly Deployment[],
  teams: readonly Team[],
): ImportedChannel => {
  const { row, id, model, params } = deployment
  const fields = {
    ...{ type: custom!, name: model.slice(0, 100), models: model.replaceAll('*', '') || 'none' },
    group: groupsOf(deployment, teams),
  }
  const common = {
    id,
    isEnabled: !flagOf(row, 'blocked'),
    used: 0,
    createdAt: secondsOf(row, 'created_at'),
  }
  if (params === undefined)
    return { ...common, fields, keys: [], problem: 'its secrets are encrypted: give the salt' }
  const text = (name: string) => String(params[name] ?? '').trim()
  const { name, mapped } = providerOfModel(text('model'), text('custom_llm_provider'))
  const type = 'type' in mapped ? mapped.type : custom!
  const notes = notesOf(params)
  const names = namesOf(deployment, name, type, all, notes)
  const organization = text('organization')
  return {
    ...common,
    fields: {
      ...fields,
      ...{ type, models: [...names.keys()].join(',') },
      base_url: addressOf(type, text('api_base') || ('baseUrl' in mapped && mapped.baseUrl) || ''),
      other: otherOf(type, text),
      model_mapping: mappingOf(names, hasOwnPrice(deployment)),
      model_headers: headersOf(params, organization),
      weight: Math.max(1, Math.round(Number(params.weight) || 1)),
    },
    keys: keysOf(type, text),
    notes,
    problem: problemOf(mapped, params),
  }
}

/** The default group and every team that may use the model; a model of one team serves only its group. */
const groupsOf = ({ model, info }: Deployment, teams: readonly Team[]): string => {
  const owner = teams.find(each => each.id === info.team_id)
  if (owner) return owner.symbol
  const access = Array.isArray(info.access_groups) ? info.access_groups : []
  const isAllowed = ({ models }: Team) =>
    models.length === 0 || [model, ...access].some(each => models.includes(String(each)))
  return ['default', ...teams.filter(isAllowed).map(each => each.symbol)].join(',')
}

/** Names of callers with the vendor's. `*` becomes the list of the channel type, without models that have an entry. */
const namesOf = (
  { model, info }: Deployment,
  target: string,
  type: number,
  all: readonly Deployment[],
  notes: string[],
): Map<string, string> => {
  const vendorName = type === bedrock ? target.replace(/^(converse|invoke)\//, '') : target
  if (!model.includes('*')) return new Map([[model, vendorName]])
  const others = new Set(all.filter(each => each.info !== info).map(each => each.model))
  const known = (providerOf(type)?.defaultModels ?? []).map(
    each => [model.replace('*', each), vendorName.replace('*', each)] as const,
  )
  const open = known.filter(([name]) => !others.has(name))
  notes.push(`\`${model}\` became ${open.length} models of the channel type`)
  return new Map(open)
}

/** A price that the source names is the caller's model's; otherwise the price of the vendor's model counts. */
const mappingOf = (names: ReadonlyMap<string, string>, isPricedAsCalled: boolean): string => {
  const renamed = [...names].filter(([name, target]) => name !== target)
  if (renamed.length === 0) return ''
  const sign = isPricedAsCalled ? '+' : ''
  return JSON.stringify(Object.fromEntries(renamed.map(([name, to]) => [name, `${sign}${to}`])))
}

/** LiteLLM's addresses end in the version, which the paths of most channel types begin with. */
const addressOf = (type: number, address: string): string => {
  const base = address.replace(/\/+$/, '')
  return /\/v\d+$/.test(providerOf(type)?.baseUrl ?? '')
    ? base
    : base.replace(/\/v1(\/messages)?$/, '')
}

type Read = (name: string) => string

const otherOf = (type: number, text: Read): string => {
  if (type === azure) return text('api_version')
  if (type === vertex) return `${text('vertex_location') || 'global'}|${text('vertex_project')}`
  return ''
}

const keysOf = (type: number, text: Read): string[] => {
  if (type === bedrock) {
    const region = text('aws_region_name')
    const parts = ['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token']
    const key = parts.map(text).filter(Boolean).join('|') || text('api_key')
    return key === '' ? [] : [`${region}|${key}`]
  }
  const key = type === vertex ? text('vertex_credentials') : text('api_key')
  return key === '' || isReference(key) ? [] : [key]
}

const isReference = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith('os.environ/')

const problemOf = (mapped: object, params: JsonMap): string | undefined => {
  if ('unknown' in mapped) return `there is no channel type for ${mapped.unknown}`
  const reference = Object.entries(params).find(([, value]) => isReference(value))
  return (
    reference && `\`${reference[0]}\` is an environment variable of the source, not in its database`
  )
}

const headersOf = ({ extra_headers }: JsonMap, organization: string): string => {
  const headers = {
    ...mapOf(extra_headers),
    ...(organization && { 'OpenAI-Organization': organization }),
  }
  return Object.keys(headers).length > 0 ? JSON.stringify(headers) : ''
}

const carried = new Set([
  ...['model', 'custom_llm_provider', 'api_key', 'api_base', 'api_version', 'organization'],
  ...['aws_region_name', 'aws_access_key_id', 'aws_secret_access_key', 'aws_session_token'],
  ...['vertex_location', 'vertex_project', 'vertex_credentials'],
  ...['weight', 'extra_headers', 'litellm_credential_name', ...priceFields],
])

/** LiteLLM writes these with their defaults. */
const isEmpty = (value: unknown): boolean => value === null || value === false || value === ''

const notesOf = (params: JsonMap): string[] =>
  Object.entries(params)
    .filter(([name, value]) => !carried.has(name) && !isEmpty(value))
    .map(([name]) => `\`${name}\` is not carried`)
