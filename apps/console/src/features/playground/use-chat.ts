import type { Log } from '@hub/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api'
import {
  addToolCalls,
  type ChatMessage,
  streamChat,
  type TokenUsage,
  type ToolCall,
} from './stream.ts'

export type Turn = {
  id: number
  prompt: string
  answer: string
  reasoning: string
  toolCalls: readonly ToolCall[]
  state: 'running' | 'done' | 'stopped' | 'failed'
  error?: string
  usage?: TokenUsage
  receipt?: Log
}
type Setup = { tokenId: number; tokenName: string; model: string; system: string }

/** Stands for the token of the playground, which the server creates on demand. */
export const ownTokenId = 0

/** A chat. The keys of tokens are kept only in the memory of this component. */
export const useChat = () => {
  const client = useQueryClient()
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const keys = useRef(new Map<number, string>())
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const change = (id: number, patch: (turn: Turn) => Partial<Turn>) =>
    setTurns(now => now.map(each => (each.id === id ? { ...each, ...patch(each) } : each)))

  const keyOf = async (id: number) => {
    const cached = keys.current.get(id)
    if (cached) return cached
    const key =
      id === ownTokenId ? await api.tokens.playground() : (await api.tokens.reveal({ id })).key
    keys.current.set(id, key)
    return key
  }

  const send = async (prompt: string, setup: Setup) => {
    const id = Date.now()
    const controller = new AbortController()
    running.current = controller
    const messages = conversation(turns, prompt, setup.system)
    setTurns(now => [
      ...now,
      { id, prompt, answer: '', reasoning: '', toolCalls: [], state: 'running' },
    ])
    let requestId = ''
    try {
      const key = await keyOf(setup.tokenId)
      const parts = streamChat({
        key,
        model: setup.model,
        messages,
        signal: controller.signal,
        onId: callId => {
          requestId = callId
        },
      })
      for await (const { text = '', reasoning = '', toolCalls = [], usage } of parts)
        change(id, turn => ({
          answer: turn.answer + text,
          reasoning: turn.reasoning + reasoning,
          toolCalls: addToolCalls(turn.toolCalls, toolCalls),
          ...(usage ? { usage } : {}),
        }))
      change(id, () => ({ state: 'done' }))
    } catch (error) {
      const wasStopped = controller.signal.aborted
      change(id, () => ({
        state: wasStopped ? 'stopped' : 'failed',
        ...(wasStopped ? {} : { error: error instanceof Error ? error.message : String(error) }),
      }))
    } finally {
      running.current = undefined
    }
    const receipt = requestId ? await receiptOf(setup, requestId, Math.floor(id / 1000)) : undefined
    if (receipt) change(id, () => ({ receipt }))
    await Promise.all(
      ['profile', 'logs', 'statistics'].map(name => client.invalidateQueries({ queryKey: [name] })),
    )
  }

  return {
    turns,
    send,
    isRunning: turns.at(-1)?.state === 'running',
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort()
      setTurns([])
    },
  }
}

const conversation = (turns: readonly Turn[], prompt: string, system: string): ChatMessage[] => [
  ...(system.trim() ? [{ role: 'system' as const, content: system }] : []),
  ...turns
    .filter(turn => turn.answer !== '')
    .flatMap(turn => [
      { role: 'user' as const, content: turn.prompt },
      { role: 'assistant' as const, content: turn.answer },
    ]),
  { role: 'user', content: prompt },
]

/** Finds the log entry of a call by its id; retries, because the entry is written with a delay. */
const receiptOf = async (
  { tokenName, model }: Setup,
  requestId: string,
  since: number,
): Promise<Log | undefined> => {
  // Five minutes of tolerance, because the browser clock may be ahead of the server clock.
  const filter = { token_name: tokenName, model_name: model, start_timestamp: since - 300 }
  for (const wait of [0, 300, 900, 2000]) {
    await new Promise(resolve => setTimeout(resolve, wait))
    const page = await api.logs
      .self({ page: 1, size: 20, log_type: 2, order: '-id', ...filter })
      .catch(() => undefined)
    const row = page?.data.find(each => String(each.id) === requestId)
    if (row) return row
  }
  return undefined
}
