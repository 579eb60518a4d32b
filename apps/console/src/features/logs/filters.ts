import { api, type Call } from '../../api/index.ts'
import type { Filter } from '../../ui/index.ts'
import { errorCodeFilter } from './errors.tsx'

export const filtersFor = (admin: boolean, isErrors: boolean): Filter[] => [
  {
    key: 'model_name',
    kind: 'text',
    suggestions: (admin ? api.logs.models : api.logs.selfModels) as Call,
  },
  ...(isErrors ? [errorCodeFilter] : []),
  { key: 'token_name', kind: 'text' },
  ...(admin
    ? ([
        { key: 'username', kind: 'text' },
        { key: 'channel_id', kind: 'number' },
        { key: 'group', kind: 'text' },
      ] as const)
    : []),
  { key: 'source_ip', kind: 'text' },
  { key: 'session', kind: 'text' },
  { key: 'id', kind: 'number', labelKey: 'logs.fields.idOrRequest' },
  { key: 'start_timestamp', kind: 'time' },
  { key: 'end_timestamp', kind: 'time' },
]

export const errorType = '5'
export const types = ['0', '1', '2', errorType, '3', '4'] as const

/** The type of the selected tab. */
export const typeOf = (params: URLSearchParams): string => {
  const type = params.get('log_type') ?? '0'
  return types.find(each => each === type) ?? '0'
}

/** The tab as input of a call; all types have none. */
export const typeInput = (params: URLSearchParams): { log_type?: number } => {
  const type = typeOf(params)
  return type === '0' ? {} : { log_type: Number(type) }
}
