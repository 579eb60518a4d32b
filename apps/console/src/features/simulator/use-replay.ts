import type { Price } from '@hub/contract'
import { useRef, useState } from 'react'
import { api, errorText } from '../../api/index.ts'
import { notify, useT } from '../../ui/index.ts'
import { addReplayPage, type Total } from './totals.ts'

export type Scenario = {
  days: number
  prices: Price[]
  groups: { symbol: string; ratio: number }[]
}

export type Replay = {
  totals: Total[]
  skipped: number
  /** The processed share of the period, 0 to 100. */
  percent: number
  isRunning: boolean
}

/** Requests the replay page by page and adds up the totals; it can be stopped at any time. */
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
    let current: Replay = { totals: [], skipped: 0, percent: 0, isRunning: true }
    setReplay(current)
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const input = cursor ? { ...scenario, cursor } : scenario
        const page = await api.simulator.replay(input, controller.signal)
        if (controller.signal.aborted) return
        cursor = page.next
        const { from, until, reached } = page
        current = {
          totals: addReplayPage(current.totals, page.models),
          skipped: current.skipped + page.skipped,
          percent: cursor === null ? 100 : ((reached - from) / (until - from)) * 100,
          isRunning: cursor !== null,
        }
        setReplay(current)
      }
    } catch (error) {
      if (controller.signal.aborted) return
      setReplay({ ...current, isRunning: false })
      const { kind, text } = errorText(t, error)
      notify[kind](text)
    }
  }
  return { replay, run, stop }
}
