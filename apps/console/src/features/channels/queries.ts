import type { Provider } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { useOptionalT } from '../../ui/use-t.ts'

/** Channel types hardly ever change while somebody looks. */
export const useProviders = (): readonly Provider[] => {
  const words = useOptionalT()
  const { data = [] } = useQuery({ ...query(api.providers.list), staleTime: 10 * 60_000 })
  // A brand is called the same everywhere; what is no brand has words of the language.
  return data.map(each => ({ ...each, name: words(`channels.types.${each.id}`) ?? each.name }))
}

export const useProvider = (type: number): Provider | undefined =>
  useProviders().find(each => each.type === type)

export const useGroupSymbols = (): readonly string[] =>
  useQuery(query(api.groups.symbols)).data ?? ['default']
