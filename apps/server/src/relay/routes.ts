import { addressesOf, callOperationIds, callOperations } from '@hub/contract/call-operations'
import { type CallerFormat, callerFormats } from '@hub/dialects'
import { formatRoutes } from './formats/index.ts'
import { post, type RelayRoute, type Route, unknown } from './formats/route.ts'

/** Every operation at the addresses of its formats. */
const callRoutes = callOperationIds.flatMap(operation =>
  callOperations[operation].formats.flatMap(each =>
    addressesOf(each).map(path => post(path, operation, callerFormats[each.format])),
  ),
)

export const relayRoutes: readonly RelayRoute[] = [...callRoutes, ...formatRoutes]

/** The first segment of an address of the relay's own. */
const firstSegment = ({ path }: Route): string | undefined => /^\/(?!api\/)([\w-]+)/.exec(path)?.[1]

const withSegment = (each: Route): [string | undefined, CallerFormat] => [
  firstSegment(each),
  each.dialect,
]

/** Adds the routes of what is not served, so that a client reads any error in its vendor's format. */
export const withUnknown = (served: readonly Route[]): readonly Route[] => {
  /** Addresses below the first segment of one without a version. */
  const below = [...new Map(served.map(withSegment).toReversed())]
    .filter(([segment]) => segment && !served.some(({ path }) => path === `/${segment}/*`))
    .flatMap(([segment, dialect]) => unknown(`/${segment}/*`, dialect))
  const paths = new Set(served.filter(each => each.method === 'GET').map(each => each.path))
  /** Without these a browser that opens an address of calls would be sent the console. */
  const refusedGets = served
    .filter(({ method, path }) => method === 'POST' && !/[:*]/.test(path) && !paths.has(path))
    .map(
      ({ path, dialect, matches }): Route => ({
        ...{ method: 'GET', path, dialect, matches },
        operation: 'unknown',
      }),
    )
  return [...served, ...below, ...refusedGets]
}
