import { useQuery } from '@tanstack/react-query'
import { api, query } from '../api'

/** The group of a user, as far as this user may know it. */
export const useGroup = (symbol: string) => useQuery(query(api.groups.map)).data?.[symbol]
