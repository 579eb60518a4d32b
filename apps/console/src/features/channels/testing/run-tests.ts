import type { Channel, TestKind } from '@hub/contract'
import { errorText } from '../../../api/error-text.ts'
import { api } from '../../../api/index.ts'
import { splitNames } from '../../../ui/form/names.ts'
import type { T } from '../../../ui/index.ts'
import { isServed } from '../form/stored-text.ts'

/** One model of one channel. */
export type TestTarget = { channelId: number; model: string }

export type TestResult =
  | { state: 'waiting' | 'running' }
  /** `kind` says how: without a call nothing was timed, and nothing was tested where it is `none`. */
  | { state: 'passed'; ms: number; kind: TestKind }
  /** The words of the provider, or the reason why there was no test. */
  | { state: 'failed'; error: string }

/** Tests that run at the same time. Each is a call to a provider, which may limit calls. */
const parallelTests = 4

export const keyOf = ({ channelId, model }: TestTarget): string => `${channelId} ${model}`

/** The models that can be tested: a pattern names none. */
export const testableModels = ({ models }: Pick<Channel, 'models'>): string[] =>
  splitNames(models).filter(model => !model.endsWith('*'))

/**
 * The model that a channel is tested with unless another one is chosen: its test model where it offers that, else the
 * first. Undefined: it has only patterns.
 */
export const testModelOf = ({
  models,
  test_model,
}: Pick<Channel, 'models' | 'test_model'>): string | undefined => {
  const isChosen = test_model !== '' && isServed(models, test_model)
  return isChosen ? test_model : testableModels({ models })[0]
}

/** Tests one model; a failure is a result and not an error. */
const testOne = async (t: T, target: TestTarget, signal: AbortSignal): Promise<TestResult> => {
  const { channelId: id, model } = target
  try {
    const { time, kind } = await api.channels.test({ id, model }, signal)
    return { state: 'passed', ms: time * 1_000, kind }
  } catch (error) {
    // The words of the provider are stored with the test, if there was one.
    const stored = await api.channels.modelTests({ id }, signal).catch(() => [])
    const words = stored.find(each => each.model === model)?.error
    return { state: 'failed', error: words || errorText(t, error).text }
  }
}

/** Tests all targets, a few at a time, until the signal stops it. */
export const runTests = async (
  t: T,
  targets: readonly TestTarget[],
  report: (target: TestTarget, result: TestResult) => void,
  signal: AbortSignal,
): Promise<void> => {
  const waiting = [...targets]
  const testNext = async () => {
    for (let target = waiting.shift(); target && !signal.aborted; target = waiting.shift()) {
      report(target, { state: 'running' })
      const result = await testOne(t, target, signal)
      if (!signal.aborted) report(target, result)
    }
  }
  await Promise.all(Array.from({ length: parallelTests }, testNext))
}
