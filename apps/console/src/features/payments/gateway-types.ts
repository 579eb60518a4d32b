import type { GatewayType } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'

/** The kinds of gateways with their names and settings. */
export const useGatewayTypes = (): readonly GatewayType[] =>
  useQuery(query(api.payments.types)).data ?? []
