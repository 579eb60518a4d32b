import type { Exception } from '../cell.ts'
import { dialects } from '../facts.ts'

const gateway = 'packages/dialects/README.md'

/** What holds between any two dialects. */
export const ofEverybody: readonly Exception[] = dialects.flatMap((dialect): Exception[] => {
  const others = { callers: [dialect], upstreams: dialects.filter(each => each !== dialect) }
  return [
    {
      ...{ features: ['unknown-fields'], ...others, how: 'note', says: /brand_new_(field|answer)/ },
      asked: { unknown: undefined },
      heard: { unknown: undefined },
      why: 'Nobody knows what a field means that no document names: it goes on only where both speak the same dialect.',
      source: gateway,
    },
    {
      ...{ features: ['count'], ...others, how: 'otherwise' },
      heard: { usage: undefined },
      why: 'A vendor counts in its own dialect; for callers of others the gateway estimates.',
      source: gateway,
    },
    {
      ...{ features: ['headers'], ...others, how: 'otherwise' },
      asked: { headers: undefined },
      why: 'A header is said to the vendor of its own dialect; another one never gets it.',
      source: gateway,
    },
  ]
})
