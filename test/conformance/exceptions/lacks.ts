import type { Exception } from '../cell.ts'
import { type Dialect, dialects } from '../facts.ts'

type Lack = Pick<Exception, 'features' | 'asked' | 'answered' | 'heard' | 'why' | 'source'> & {
  /** In the note, whichever side has no word for it. */
  says: RegExp
  /** Its vendor cannot be made to answer so, not even in words of others. */
  isMute?: true
}

/**
 * A dialect without words for a feature: its vendor is not told, its callers can only say it in words of others; both are
 * noted. Between a caller and a vendor of this dialect the words pass, as any that nobody here knows.
 */
export const lacks = (dialect: Dialect, lack: Lack): Exception[] => {
  const others = dialects.filter(each => each !== dialect)
  const { isMute, ...rest } = lack
  const { features, why, source, answered } = rest
  return [
    { ...rest, how: 'note', callers: others, upstreams: [dialect] },
    { ...rest, how: 'note', callers: [dialect], upstreams: others },
    {
      ...{ features, source, how: 'otherwise', callers: [dialect], upstreams: [dialect] },
      ...(isMute && answered ? { answered } : {}),
      why: `${why} Where both speak it, fields that it does not know pass as they are.`,
    },
  ]
}

/** A vendor that is told everything and answers in its own way: nothing is lost on the way. */
export const answers = (
  dialect: Dialect,
  otherwise: Pick<
    Exception,
    'features' | 'answered' | 'heard' | 'asked' | 'goesBack' | 'why' | 'source'
  >,
): Exception => ({ ...otherwise, how: 'otherwise', upstreams: [dialect] })
