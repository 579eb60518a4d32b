import type { SecurityMutation } from '../mutation.ts'

/** Mutations of what a caller who leaves pays. */
export const leftMutations: readonly SecurityMutation[] = [
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/forwarded.ts',
    find: 'read > forwarded ? Math.min(count, Math.ceil((count * forwarded) / read)) : count',
    replace: 'count',
    test: 'apps/server/test/left/grid.test.ts',
    title:
      'SEC-1 usage that is read on is charged without the output for nobody: %s, left after %i pieces',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/estimate.ts',
    find: 'samples.filter(each => each.user_id !== userId)',
    replace: '[...samples]',
    test: 'apps/server/test/left/grid.test.ts',
    title:
      'SEC-1 hidden reasoning that nobody reports is that of other users, whatever the caller did before: %s',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/estimate.ts',
    find: 'others.length > 0 ? median(others) : listedReasoning(samples, terms, seen)',
    replace: 'listedReasoning(samples, terms, seen)',
    test: 'apps/server/test/left/grid.test.ts',
    title:
      'SEC-1 hidden reasoning that nobody reports is that of other users, whatever the caller did before: %s',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/estimate.ts',
    find: 'Math.min(typical, rateBound(others, seen))',
    replace: 'typical',
    test: 'apps/server/test/left/grid.test.ts',
    title:
      'SEC-1 the estimate is bounded by the model’s output rate and the time since the request was sent',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/estimate.ts',
    find: 'Math.min(bounded, budgetMax, outputMax - seen.tokens)',
    replace: 'Math.min(bounded, outputMax - seen.tokens)',
    test: 'apps/server/src/relay/response/left/samples.test.ts',
    title: 'are kept over a restart, are bounded, and count for other users only',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/estimate.ts',
    find: 'Math.min(bounded, budgetMax, outputMax - seen.tokens)',
    replace: 'Math.min(bounded, budgetMax)',
    test: 'apps/server/src/relay/response/left/samples.test.ts',
    title: 'are kept over a restart, are bounded, and count for other users only',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/estimate.ts',
    find: 'Math.max(1, Math.min(',
    replace: 'Math.max(0, Math.min(',
    test: 'apps/server/test/abandoned-calls.test.ts',
    title:
      'SEC-1 the estimate of a model that reasons unasked is a figure of the shipped list, and never 0',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/estimate.ts',
    find: 'Math.max(0, (listed ?? unknownReasoning) - visibleReasoning)',
    replace: '0',
    test: 'apps/server/test/abandoned-calls.test.ts',
    title:
      'SEC-1 the estimate of a model that reasons unasked is a figure of the shipped list, and never 0',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/read-on.ts',
    find: 'if (!isFinished && mayHide === false) return false\n',
    replace: '',
    test: 'apps/server/test/left/grid.test.ts',
    title:
      'SEC-1 where nothing can be hidden, prompt and forwarded output are charged: %s, left after %i pieces',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/left/read-on.ts',
    find: 'if (!isHidden) close()',
    replace: '',
    test: 'apps/server/test/abandoned-calls.test.ts',
    title:
      'SEC-1 a model that hid nothing from other users is closed at once, and nothing is estimated',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/finalize.ts',
    find: 'const usage = left ? forwardedUsage({ reported, metered: read }, left) : reported',
    replace: 'const usage = reported',
    test: 'apps/server/test/left/grid.test.ts',
    title:
      'SEC-1 usage that is read on is charged without the output for nobody: %s, left after %i pieces',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/finalize.ts',
    find: 'return missing > 0 ? { ...reported, output: reported.output + missing } : reported',
    replace: 'return reported',
    test: 'apps/server/test/abandoned-calls.test.ts',
    title: 'SEC-1 figures that a stream reported at its start are no bound of what was delivered',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/finalize.ts',
    find: 'if (await mayAbandon(app, context, attempt)) return\n',
    replace: 'return\n',
    test: 'apps/server/test/abandoned-calls.test.ts',
    title:
      'SEC-1 of calls left before the first byte, the prompt is charged above the allowed number',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/finalize.ts',
    find: "const prompt = finish === 'complete' ? undefined : parsed.pricing?.prompt",
    replace: 'const prompt = undefined',
    test: 'apps/server/test/left/operations.test.ts',
    title: 'that its caller left is charged its audio',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/estimate-usage.ts',
    find: 'if (missing.length === 0) return usage',
    replace: 'if (missing.length >= 0) return usage',
    test: 'apps/server/test/left/tools.test.ts',
    title:
      'SEC-1 finished calls of tools are charged where no usage comes: %s, left after %i calls',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/relay/response/stream.ts',
    find: ' && !hasCalls(observer.tools?.())',
    replace: '',
    test: 'apps/server/test/left/tools.test.ts',
    title: 'an image before any text is charged where the vendor breaks off',
  },
  {
    ids: ['L13'],
    file: 'apps/server/src/stored-objects/batches/charge.ts',
    find: 'const perAnswer = estimated ?',
    replace: 'const perAnswer = estimated && answers < 0 ?',
    test: 'apps/server/test/left/batches.test.ts',
    title:
      'SEC-1 hidden reasoning of a batch without usage is that of other users, whatever the caller did before',
  },
]
