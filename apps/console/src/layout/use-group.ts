import { useQuery } from '@tanstack/react-query'
import { api, query } from '../api'

/** Finds a group by its symbol among those that the server shows to this user. */
export const useGroup = (symbol: string) => useQuery(query(api.groups.map)).data?.[symbol]
