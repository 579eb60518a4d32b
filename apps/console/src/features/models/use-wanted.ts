import { useSearchParams } from 'react-router'
import type { Wanted } from './rows.ts'

export type Layout = 'cards' | 'list'
type Asked = Wanted & { layout: Layout }

/** What is looked for stands in the address, so that it can be sent to somebody. */
export const useWanted = (firstGroup: string): [Asked, (part: Partial<Asked>) => void] => {
  const [params, setParams] = useSearchParams()
  const text = (key: string) => params.get(key) ?? ''
  const wanted: Asked = {
    keyword: text('keyword'),
    owner: text('owner'),
    type: text('type'),
    group: text('group') || firstGroup,
    only: text('only') === 'true',
    layout: text('layout') === 'list' ? 'list' : 'cards',
  }
  const set = (part: Partial<Asked>) =>
    setParams(
      now => {
        const next = new URLSearchParams(now)
        for (const [key, value] of Object.entries(part))
          if (value === '' || value === false) next.delete(key)
          else next.set(key, String(value))
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return [wanted, set]
}
