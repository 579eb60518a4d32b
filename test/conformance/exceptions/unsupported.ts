import type { Exception } from '../cell.ts'
import { type Dialect, dialects } from '../neutral.ts'

type Unsupported = Pick<
  Exception,
  'features' | 'upstreamRequest' | 'upstreamResponse' | 'received' | 'why' | 'source'
> & {
  /** In the note, whichever side has no word for it. */
  pattern: RegExp
  /** Its vendor cannot be made to answer so, not even in words of others. */
  cannotAnswer?: true
}

/**
 * A dialect that cannot express a feature: its vendor does not get it, and its callers send it in fields of other
 * dialects. Both cases are logged. Between a caller and a vendor of this dialect, unknown fields pass through.
 */
export const unsupported = (dialect: Dialect, difference: Unsupported): Exception[] => {
  const others = dialects.filter(each => each !== dialect)
  const { cannotAnswer, ...rest } = difference
  const { features, why, source, upstreamResponse } = rest
  return [
    { ...rest, how: 'note', callers: others, upstreams: [dialect] },
    { ...rest, how: 'note', callers: [dialect], upstreams: others },
    {
      ...{ features, source, how: 'otherwise', callers: [dialect], upstreams: [dialect] },
      ...(cannotAnswer && upstreamResponse ? { upstreamResponse } : {}),
      why: `${why} Where both speak it, fields that it does not know pass as they are.`,
    },
  ]
}

/** A vendor that gets the whole request and responds in its own encoding: nothing is lost. */
export const answers = (
  dialect: Dialect,
  otherwise: Pick<
    Exception,
    | 'features'
    | 'upstreamResponse'
    | 'received'
    | 'upstreamRequest'
    | 'returnedPieces'
    | 'why'
    | 'source'
  >,
): Exception => ({ ...otherwise, how: 'otherwise', upstreams: [dialect] })
