import type { Endpoint } from '@hub/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import type { Call } from '../../../api/client.ts'
import { query } from '../../../api/query.ts'

type Props = { id: string; list: Call<Endpoint>; text: string }

/** The suggestions for a text input that names this list by its id. */
export const Suggestions = ({ id, list, text }: Props) => {
  const keyword = useDeferredValue(text.trim())
  const { data } = useQuery({
    ...query(list, { keyword }),
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const names = keyword === '' ? [] : ((data as string[] | undefined) ?? [])
  return (
    <datalist id={id}>
      {names.map(name => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}
