import type { Exception } from '../cell.ts'
import { dialects } from '../neutral.ts'

const gateway = 'packages/dialects/README.md'

/** Exceptions between any two dialects. */
export const allDialectExceptions: readonly Exception[] = dialects.flatMap(
  (dialect): Exception[] => {
    const others = { callers: [dialect], upstreams: dialects.filter(each => each !== dialect) }
    return [
      {
        ...{
          features: ['unknown-fields'],
          ...others,
          how: 'note',
          pattern: /brand_new_(field|answer)/,
        },
        upstreamRequest: { unknown: undefined },
        received: { unknown: undefined },
        why: 'Nobody knows what a field means that no document names: it goes on only where both speak the same dialect.',
        source: gateway,
      },
      {
        ...{ features: ['count'], ...others, how: 'otherwise' },
        received: { usage: undefined },
        why: 'A vendor counts in its own dialect; for callers of others the gateway estimates.',
        source: gateway,
      },
      {
        ...{ features: ['headers'], ...others, how: 'otherwise' },
        upstreamRequest: { headers: undefined },
        why: 'A header is said to the vendor of its own dialect; another one never gets it.',
        source: gateway,
      },
    ]
  },
)
