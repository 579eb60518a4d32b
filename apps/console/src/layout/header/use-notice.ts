import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, query } from '../../api'
import { noticeRule } from './notice-rule.ts'

const key = 'notice'

/** The announcement of the site, and whether it is open. */
export const useNotice = () => {
  const { data } = useQuery({ ...query(api.status.notice), staleTime: 5 * 60_000 })
  // What was known when this page came: the rule compares with that, not with what it stores itself.
  const [known] = useState(() => localStorage.getItem(key))
  const { text, opens, store } = noticeRule(data, known)
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
