import type { Log } from '@hub/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api'
import { type Message, streamChat, type Usage } from './stream.ts'

export type Turn = {
  id: number
  ask: string
  answer: string
  state: 'running' | 'done' | 'stopped' | 'failed'
  error?: string
  usage?: Usage
  receipt?: Log
}
type Setup = { tokenId: number; tokenName: string; model: string; system: string }

/** A conversation. The key of the token lives in this component's memory and nowhere else. */
export const useChat = () => {
  const client = useQueryClient()
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const keys = useRef(new Map<number, string>())
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const change = (id: number, patch: (turn: Turn) => Partial<Turn>) =>
    setTurns(now => now.map(each => (each.id === id ? { ...each, ...patch(each) } : each)))

  const keyOf = async (id: number) => {
    const known = keys.current.get(id)
    if (known) return known
    const { key } = await api.tokens.reveal({ id })
    keys.current.set(id, key)
    return key
  }

  const send = async (ask: string, setup: Setup) => {
    const id = Date.now()
    const controller = new AbortController()
    running.current = controller
    const messages = conversation(turns, ask, setup.system)
    setTurns(now => [...now, { id, ask, answer: '', state: 'running' }])
    let requestId = ''
    try {
      const key = await keyOf(setup.tokenId)
      const pieces = streamChat({
        key,
        model: setup.model,
        messages,
        signal: controller.signal,
        onId: given => {
          requestId = given
        },
      })
      for await (const { text = '', usage } of pieces)
        change(id, turn => ({ answer: turn.answer + text, ...(usage ? { usage } : {}) }))
      change(id, () => ({ state: 'done' }))
    } catch (error) {
      const stopped = controller.signal.aborted
      change(id, () => ({
        state: stopped ? 'stopped' : 'failed',
        ...(stopped ? {} : { error: error instanceof Error ? error.message : String(error) }),
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

const conversation = (turns: readonly Turn[], ask: string, system: string): Message[] => [
  ...(system.trim() ? [{ role: 'system' as const, content: system }] : []),
  ...turns
    .filter(turn => turn.answer !== '')
    .flatMap(turn => [
      { role: 'user' as const, content: turn.ask },
      { role: 'assistant' as const, content: turn.answer },
    ]),
  { role: 'user', content: ask },
]

/** What the answer cost: the row of the log that bears the id of the call. It may come a moment later. */
const receiptOf = async (
  { tokenName, model }: Setup,
  requestId: string,
  since: number,
): Promise<Log | undefined> => {
  // A clock that is a little ahead of the server's must not hide the row.
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
