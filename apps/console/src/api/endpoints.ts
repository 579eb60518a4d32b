import { contract, type Endpoint } from '@hub/contract'

export type Route = { method: string; path: string; envelope?: boolean; query?: readonly string[] }

/**
 * Method and path of every endpoint by resource and action. The build replaces this module by its value, so that pages
 * without forms and tables do not load the schemas.
 */
export const endpoints: Record<string, Record<string, Route>> = Object.fromEntries(
  Object.entries(contract).map(([resource, { base, endpoints }]) => [
    resource,
    Object.fromEntries(
      Object.entries(endpoints as Record<string, Endpoint>).map(
        ([action, { method, path, envelope, query }]) => [
          action,
          { method, path: `${base}${path}`, envelope, query },
        ],
      ),
    ),
  ]),
)
