import type { SecurityMutation } from '../mutation.ts'

/** Failures before the content of an answer. */
export const retriesMutations: readonly SecurityMutation[] = [
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: "if (emptiness !== 'stopped') return emptiness === 'unfinished'",
    replace: "if (emptiness !== 'stopped') return false",
    test: 'apps/server/test/empty-answers.test.ts',
    title:
      'a whole answer of %s from %s with neither output nor a finish is a failure of its channel',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: "!record.failedAttempts?.some(each => each.code === 'upstream.empty') &&\n",
    replace: '',
    test: 'apps/server/test/empty-answers.test.ts',
    title: 'a second empty answer of one call is delivered',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: 'app.settings().retry.EmptyAnswerRetryEnabled &&\n',
    replace: '',
    test: 'apps/server/test/empty-answers.test.ts',
    title:
      'a whole answer of %s from %s with a finish is delivered and charged, and the setting retries it once',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: "if (emptiness !== 'stopped') return emptiness === 'unfinished'",
    replace: "if (emptiness !== 'stopped') return emptiness !== undefined",
    test: 'apps/server/test/empty-answers.test.ts',
    title:
      'a whole answer of %s from %s with a finish is delivered and charged, and the setting retries it once',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: '    canTryAnother()\n',
    replace: '    true\n',
    test: 'apps/server/test/empty-answers.test.ts',
    title: 'an empty answer is delivered where no other channel could answer',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: 'state?.background === true ||',
    replace: '',
    test: 'apps/server/test/held-openings.test.ts',
    title: 'a response in the background is not given up for another channel',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: "(store !== undefined && body.toString('latin1', store.start, store.end) === 'true')",
    replace: 'false',
    test: 'apps/server/test/held-openings.test.ts',
    title: 'a response that the caller asks to store is not given up for another channel',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/empty-answer.ts',
    find: '!asksToStore(context) &&\n',
    replace: '',
    test: 'apps/server/test/empty-answers.test.ts',
    title: 'an empty response that the caller asks to store is delivered',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/response/peek/first-output.ts',
    find: 'const isAwaited = awaitsOutput && observer.emptiness !== undefined && emptiness !== undefined',
    replace: 'const isAwaited = false',
    test: 'apps/server/test/retry-before-content.test.ts',
    title:
      'the second channel answers a call of %s to %s over %s wherever the first fails before its content',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/response/peek/first-output.ts',
    find: '(this.hasEvent && !isAwaited) || this.size > openingMax',
    replace: 'this.size > openingMax',
    test: 'apps/server/test/retry-before-content.test.ts',
    title:
      'a failure after the first content of %s to %s over %s is an error event, and no second channel is asked',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/response/peek/first-output.ts',
    find: '(this.hasEvent && !isAwaited) || this.size > openingMax',
    replace: 'this.hasEvent && !isAwaited',
    test: 'apps/server/test/held-openings.test.ts',
    title:
      'an opening of more than 64 KiB is delivered, so that a failure after it is an error event',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/response/peek/first-output.ts',
    find: "      this.fail(new Fault('upstream.empty'))\n    else this.decide()",
    replace: '      this.decide()\n    else this.decide()',
    test: 'apps/server/test/empty-answers.test.ts',
    title: 'an empty stream of %s from %s with a finish is delivered, and the setting retries it',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/tries/try-channels.ts',
    find: '  await held.context.record.upstreamError?.charge?.()\n',
    replace: '',
    test: 'apps/server/test/own-failures-charged.test.ts',
    title: 'a refusal with %s at %s is charged what reaches the caller',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/response/buffered.ts',
    find: 'await settleFailure(app, context, delivery.attempt, charge)',
    replace: 'await settleFailure(app, context, delivery.attempt, charge && undefined)',
    test: 'apps/server/test/own-failures-charged.test.ts',
    title: 'a failed answer of status 200 with %s at %s is charged',
  },
  {
    ids: ['L14'],
    file: 'packages/dialects/src/framing/sse-stream-observer.ts',
    find: 'this.refusalChars = own + Math.max(0, repeated - this.observer.weightedChars())',
    replace: 'this.refusalChars = 0 * (own + repeated)',
    test: 'apps/server/test/own-failures-charged.test.ts',
    title: 'a stream that ends in a failure with %s at %s is charged',
  },
  {
    ids: ['L14'],
    file: 'apps/server/src/relay/response/stream.ts',
    find: "refusal !== undefined && ended.finish === 'complete'",
    replace: 'refusal !== undefined',
    test: 'apps/server/test/own-failures-charged.test.ts',
    title: 'a caller who left before a failure was read pays like any who left',
  },
]
