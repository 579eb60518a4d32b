import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { api, isAdmin, query, useSession } from '../../api'

export type FoundKind = 'call' | 'channel' | 'user' | 'token' | 'model'
export type FoundRecord = { kind: FoundKind; id: string; label: string; url: string }

const size = 5
const lengthMin = 2

/** Both lists have one form. */
const modelsOf = (admin: boolean) =>
  (admin ? api.logs.models : api.logs.selfModels) as typeof api.logs.models

/** Records whose names begin with or contain the text, at most five of each kind; a number is also the id of a call. */
export const useFoundRecords = (text: string): FoundRecord[] => {
  const user = useSession()
  const keyword = useDeferredValue(text.trim())
  const enabled = Boolean(user) && keyword.length >= lengthMin
  const common = { placeholderData: keepPreviousData, staleTime: 30_000 }
  const forAdmins = { ...common, enabled: enabled && isAdmin(user) }
  const [channels, users, tokens, models] = useQueries({
    queries: [
      { ...query(api.channels.list, { name: keyword, size }), ...forAdmins },
      { ...query(api.users.list, { keyword, size }), ...forAdmins },
      { ...query(api.tokens.list, { keyword, size }), ...common, enabled },
      {
        ...query(modelsOf(isAdmin(user)), { keyword }),
        ...common,
        enabled,
      },
    ],
  })
  if (!enabled) return []
  const address = (path: string, filters: Record<string, string>) =>
    `/panel/${path}?${new URLSearchParams(filters)}`
  return [
    ...(/^[1-9]\d{0,15}$/.test(keyword)
      ? [{ kind: 'call' as const, id: keyword, label: keyword, url: `/panel/log/${keyword}` }]
      : []),
    ...(channels.data?.data ?? []).map(({ id, name }) => ({
      ...{ kind: 'channel' as const, id: String(id), label: name, url: `/panel/channel/${id}` },
    })),
    ...(users.data?.data ?? []).map(({ id, username }) => ({
      ...{ kind: 'user' as const, id: String(id), label: username },
      url: address('user', { keyword: username, open: String(id) }),
    })),
    ...(tokens.data?.data ?? []).map(({ id, name }) => ({
      ...{ kind: 'token' as const, id: String(id), label: name },
      url: address('token', { keyword: name, open: String(id) }),
    })),
    ...(models.data ?? []).slice(0, size).map(name => ({
      ...{ kind: 'model' as const, id: name, label: name },
      url: address('model_price', { keyword: name }),
    })),
  ]
}
