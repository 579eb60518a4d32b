import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, isApiError } from '../../api'
import {
  addToolCalls,
  CallError,
  type CallMessage,
  type CallParameters,
  type CallTool,
  type DialectId,
  findLogRow,
  kindOf,
  streamChat,
} from '../../domain/calls/index.ts'
import type { AttachedImage } from './images.ts'
import { ownTokenId } from './settings.ts'
import { type Answer, messagesFor, type Turn } from './turn.ts'

/** A question with everything that its calls need. */
export type Question = {
  prompt: string
  images: readonly AttachedImage[]
  models: readonly string[]
  tokenId: number
  dialect: DialectId
  system: string
  parameters: CallParameters
  tools: readonly CallTool[]
}

/** The keys of tokens are kept only in the memory of the component. */
const useKeys = () => {
  const keys = useRef(new Map<number, string>())
  return async (id: number) => {
    const cached = keys.current.get(id)
    if (cached) return cached
    const key =
      id === ownTokenId ? await api.tokens.playground() : (await api.tokens.reveal({ id })).key
    keys.current.set(id, key)
    return key
  }
}

/** A chat with one model, or with two side by side. */
export const useChat = (saved: readonly Turn[]) => {
  const client = useQueryClient()
  const keyOf = useKeys()
  const [turns, setTurns] = useState(saved)
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const changeAnswer = (id: number, column: number, patch: (answer: Answer) => Partial<Answer>) =>
    setTurns(now => now.map(turn => (turn.id === id ? patchAnswer(turn, column, patch) : turn)))

  const ask = async (earlier: readonly Turn[], question: Question) => {
    const { prompt, images, models, dialect } = question
    const id = Date.now()
    const controller = new AbortController()
    running.current = controller
    const answers = models.map((model, column) => newAnswer(column, model, dialect))
    setTurns([...earlier, { id, prompt, images, lostImages: 0, answers }])
    await Promise.all(
      models.map((model, column) =>
        answerQuestion({
          question,
          model,
          messages: messagesFor(earlier, column, question),
          key: () => keyOf(question.tokenId),
          signal: controller.signal,
          change: patch => changeAnswer(id, column, patch),
        }),
      ),
    )
    await Promise.all(
      ['profile', 'logs', 'statistics'].map(name => client.invalidateQueries({ queryKey: [name] })),
    )
  }

  return {
    turns,
    isRunning: turns.at(-1)?.answers.some(answer => answer.state === 'running') ?? false,
    send: (question: Question) => ask(turns, question),
    /** Asks the last question again and replaces its answers. */
    retry: (question: Omit<Question, 'prompt' | 'images'>) => {
      const last = turns.at(-1)
      if (last) void ask(turns.slice(0, -1), { ...question, ...last })
    },
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort()
      setTurns([])
    },
  }
}

const newAnswer = (column: number, model: string, dialect: DialectId): Answer => ({
  ...{ column, model, dialect, text: '', reasoning: '', toolCalls: [], state: 'running' },
})

const patchAnswer = (turn: Turn, column: number, patch: (answer: Answer) => Partial<Answer>) => ({
  ...turn,
  answers: turn.answers.map((answer, index) =>
    index === column ? { ...answer, ...patch(answer) } : answer,
  ),
})

type Run = {
  question: Question
  model: string
  messages: CallMessage[]
  key: () => Promise<string>
  signal: AbortSignal
  change: (patch: (answer: Answer) => Partial<Answer>) => void
}

/** Makes one call, shows its answer as it comes, and looks up its log row. */
const answerQuestion = async ({ question, model, messages, key, signal, change }: Run) => {
  const { dialect, system, parameters, tools } = question
  let requestId = ''
  try {
    const parts = streamChat(
      { model, system, messages, tools, ...parameters },
      {
        dialect,
        signal,
        key: await key(),
        onId: id => {
          requestId = id
        },
      },
    )
    for await (const { text = '', reasoning = '', toolCalls = [], usage } of parts)
      change(answer => ({
        text: answer.text + text,
        reasoning: answer.reasoning + reasoning,
        toolCalls: addToolCalls(answer.toolCalls, toolCalls),
        ...(usage ? { usage: { ...answer.usage, ...usage } } : {}),
      }))
    change(() => ({ state: 'done' }))
  } catch (error) {
    change(() => (signal.aborted ? { state: 'stopped' } : failure(error)))
  }
  const log = await findLogRow(requestId)
  if (!log) return
  const { id, quota, prompt_tokens: input, completion_tokens: output, request_time: ms } = log
  change(() => ({ row: { id, quota, input, output, ms } }))
}

const failure = (error: unknown): Partial<Answer> => {
  const message = error instanceof Error ? error.message : String(error)
  const key = isApiError(error) && error.code ? `faults.${error.code}` : 'calls.errors.broken'
  return {
    state: 'failed',
    error: {
      key: error instanceof CallError ? `calls.errors.${kindOf(error)}` : key,
      message,
    },
  }
}
