import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../ui/index.ts'
import { keyOf, runTests, type TestResult, type TestTarget } from './run-tests.ts'

export type Tests = ReturnType<typeof useTests>

type Results = ReadonlyMap<string, TestResult>

const isDone = (result: TestResult | undefined) =>
  result?.state === 'passed' || result?.state === 'failed'

/** Tests that run while the page is open. Leaving the page stops them, as `stop` does. */
export const useTests = () => {
  const t = useT()
  const client = useQueryClient()
  const [results, setResults] = useState<Results>(new Map())
  const [targets, setTargets] = useState<readonly TestTarget[]>([])
  const [isRunning, setRunning] = useState(false)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  const report = (target: TestTarget, result: TestResult) =>
    setResults(now => new Map(now).set(keyOf(target), result))
  const run = async (chosen: readonly TestTarget[]) => {
    controller.current?.abort()
    const abort = new AbortController()
    controller.current = abort
    setTargets(chosen)
    setRunning(true)
    setResults(now => {
      const next = withoutUnfinished(now)
      for (const target of chosen) next.set(keyOf(target), { state: 'waiting' })
      return next
    })
    await runTests(t, chosen, report, abort.signal)
    if (controller.current === abort) setRunning(false)
    await client.invalidateQueries({ queryKey: ['channels'] })
  }
  const stop = () => {
    controller.current?.abort()
    setRunning(false)
    setResults(withoutUnfinished)
  }
  const ended = targets.map(each => results.get(keyOf(each))).filter(isDone)
  return {
    run,
    stop,
    isRunning,
    total: targets.length,
    done: ended.length,
    failed: ended.filter(each => each?.state === 'failed').length,
    resultOf: (target: TestTarget) => results.get(keyOf(target)),
  }
}

/** A test that was stopped has no result. */
const withoutUnfinished = (results: Results) =>
  new Map([...results].filter(([, result]) => isDone(result)))
