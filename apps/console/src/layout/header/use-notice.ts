import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, query } from '../../api'
import { noticeRule } from './notice-rule.ts'

const key = 'notice'

/** The announcement of the site and the state of its dialog. */
export const useNotice = () => {
  const { data } = useQuery({ ...query(api.status.notice), staleTime: 5 * 60_000 })
  // The notice stored before this visit. The rule must not compare with the one that it stores itself.
  const [storedNotice] = useState(() => localStorage.getItem(key))
  const { text, opens, store } = noticeRule(data, storedNotice)
  const [choice, setChoice] = useState<boolean | undefined>(undefined)
  useEffect(() => {
    if (store !== undefined) localStorage.setItem(key, store)
  }, [store])
  return {
    text,
    open: choice ?? opens,
    show: () => setChoice(true),
    close: () => setChoice(false),
  }
}
