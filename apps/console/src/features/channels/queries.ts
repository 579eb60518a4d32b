import type { Provider } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { useOptionalT } from '../../locales/use-t.ts'

/** The channel types, cached for ten minutes because they change only with a new version. */
export const useProviders = (): readonly Provider[] => {
  const optionalT = useOptionalT()
  const { data = [] } = useQuery({ ...query(api.providers.list), staleTime: 10 * 60_000 })
  // Brand names are not translated; other type names may have a translation.
  return data.map(each => ({ ...each, name: optionalT(`channels.types.${each.id}`) ?? each.name }))
}

/** The data that changes with a channel. */
export const affectedResources = ['channels', 'models', 'prices']

export const typeName = (providers: readonly Provider[], type: number): string =>
  providers.find(each => each.type === type)?.name ?? `#${type}`

export const useProvider = (type: number): Provider | undefined =>
  useProviders().find(each => each.type === type)

export const useGroupSymbols = (): readonly string[] =>
  useQuery(query(api.groups.symbols)).data ?? ['default']
