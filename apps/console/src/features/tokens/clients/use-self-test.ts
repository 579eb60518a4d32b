import type { Log } from '@hub/contract'
import { useEffect, useRef, useState } from 'react'
import {
  CallError,
  type DialectId,
  findLogRow,
  kindOf,
  streamChat,
} from '../../../domain/calls/index.ts'

export type SelfTestResult =
  | { state: 'running' }
  | { state: 'passed'; milliseconds: number; row?: Log }
  | { state: 'failed'; errorKey: string; message: string; row?: Log }

/** Bounds the charge of a test; a model that reasons needs some room before its first word. */
const maxTokens = 256

/** Makes one short call by a key in a dialect. */
export const useSelfTest = () => {
  const [result, setResult] = useState<SelfTestResult>()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (dialect: DialectId, model: string, key: string) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const show = (next: SelfTestResult) => !signal.aborted && setResult(next)
    show({ state: 'running' })
    let requestId = ''
    const outcome = await callOnce(dialect, model, key, signal, id => {
      requestId = id
    })
    show(outcome)
    const row = await findLogRow(requestId)
    if (row) show({ ...outcome, row })
  }
  return {
    result,
    run,
    reset: () => {
      running.current?.abort()
      setResult(undefined)
    },
  }
}

const callOnce = async (
  dialect: DialectId,
  model: string,
  key: string,
  signal: AbortSignal,
  onId: (id: string) => void,
): Promise<Exclude<SelfTestResult, { state: 'running' }>> => {
  const messages = [{ role: 'user' as const, text: 'Reply with OK.' }]
  const begin = performance.now()
  try {
    const call = { model, system: '', messages, tools: [], maxTokens }
    const parts = streamChat(call, { dialect, key, signal, onId })
    for await (const _ of parts);
    return { state: 'passed', milliseconds: Math.round(performance.now() - begin) }
  } catch (error) {
    return {
      state: 'failed',
      errorKey: `calls.errors.${error instanceof CallError ? kindOf(error) : 'broken'}`,
      message: error instanceof Error ? error.message : String(error),
    }
  }
}
