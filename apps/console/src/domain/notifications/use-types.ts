import type { NotifierType } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/index.ts'
import { useOptionalT } from '../../locales/use-t.ts'
import { type Scope, scopes } from './scope.ts'

/** The kinds of targets, each under the name that it has in the language of the console. */
export const useTypes = (scope: Scope): readonly NotifierType[] => {
  const optionalT = useOptionalT()
  const { data = [] } = useQuery(query(scopes[scope].api.types))
  return data.map(each => ({
    ...each,
    name: optionalT(`notifications.types.${each.type}`) ?? each.name,
  }))
}
