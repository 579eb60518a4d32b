import type { Emptiness } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { CallContext } from '../context.ts'

/**
 * Decides whether an answer without output is a failure of its channel: always without a finish. With one it is, once per call, if
 * the setting says so and another attempt is possible; not where a limit or a filter ended it.
 */
export const isRefusedEmpty = (
  app: App,
  context: CallContext,
  emptiness: Emptiness,
  canTryAnother: () => boolean,
): boolean => {
  const { record, abort } = context
  if (emptiness !== 'stopped') return emptiness === 'unfinished'
  return (
    app.settings().retry.EmptyAnswerRetryEnabled &&
    abort.reason === undefined &&
    !asksToStore(context) &&
    !record.failedAttempts?.some(each => each.code === 'upstream.empty') &&
    canTryAnother()
  )
}

/** The caller asked a vendor to store the response, so that an answer that is given up would be stored for nobody. */
export const asksToStore = ({ parsed, target }: CallContext): boolean => {
  const { state, fieldRanges, body } = parsed
  const store = fieldRanges.get('store')
  return (
    state?.background === true ||
    state?.conversationId !== undefined ||
    target.background !== undefined ||
    (store !== undefined && body.toString('latin1', store.start, store.end) === 'true')
  )
}
