import type { Price } from '@hub/contract'
import { useRef, useState } from 'react'
import { api, errorText } from '../../api/index.ts'
import { notify, useT } from '../../ui/index.ts'
import { addPiece, type Total } from './totals.ts'

export type Scenario = {
  days: number
  prices: Price[]
  groups: { symbol: string; ratio: number }[]
}

export type Replay = {
  totals: Total[]
  skipped: number
  /** Of the time that is looked at, 0 to 100. */
  percent: number
  isRunning: boolean
}

/** Asks piece by piece and adds up; what has come so far can be seen, and stopped, at any moment. */
export const useReplay = () => {
  const t = useT()
  const [replay, setReplay] = useState<Replay>()
  const running = useRef<AbortController>(undefined)

  const stop = () => {
    running.current?.abort()
    setReplay(last => last && { ...last, isRunning: false })
  }

  const run = async (scenario: Scenario) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    let now: Replay = { totals: [], skipped: 0, percent: 0, isRunning: true }
    setReplay(now)
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const input = cursor ? { ...scenario, cursor } : scenario
        const piece = await api.simulator.replay(input, controller.signal)
        if (controller.signal.aborted) return
        cursor = piece.next
        const { from, until, reached } = piece
        now = {
          totals: addPiece(now.totals, piece.models),
          skipped: now.skipped + piece.skipped,
          percent: cursor === null ? 100 : ((reached - from) / (until - from)) * 100,
          isRunning: cursor !== null,
        }
        setReplay(now)
      }
    } catch (error) {
      if (controller.signal.aborted) return
      setReplay({ ...now, isRunning: false })
      const { kind, text } = errorText(t, error)
      notify[kind](text)
    }
  }
  return { replay, run, stop }
}
