import type { NewModelInfo } from '@hub/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, query } from '../../../api/index.ts'
import {
  type ImportMode,
  type ImportResult,
  type ImportStep,
  planImport,
  runImport,
} from './run.ts'

const send = ({ info, id }: ImportStep) =>
  id === undefined ? api['model-info'].create(info) : api['model-info'].update({ ...info, id })

/** The state of an import. A second run writes only what the first one left. */
export const useImport = (infos: readonly NewModelInfo[]) => {
  const client = useQueryClient()
  const { data: stored, error, refetch } = useQuery(query(api['model-info'].list))
  const [mode, setMode] = useState<ImportMode>('skip')
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [result, setResult] = useState<ImportResult & { skipped: number }>()
  const isStopped = useRef(false)
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])

  const ids = new Map(stored?.map(each => [each.model, each.id]))
  const steps = stored ? planImport(infos, ids, mode) : []
  const start = async () => {
    isStopped.current = false
    setResult(undefined)
    setProgress({ done: 0, total: steps.length })
    const ended = await runImport(steps, {
      send,
      onProgress: done => setProgress({ done, total: steps.length }),
      isStopped: () => isStopped.current,
    })
    await client.invalidateQueries({ queryKey: ['model-info'] })
    setResult({ ...ended, skipped: infos.length - steps.length })
    setProgress(undefined)
  }
  return {
    mode,
    setMode,
    progress,
    result,
    steps,
    start,
    error,
    refetch,
    isStored: (model: string) => ids.has(model),
    stop: () => {
      isStopped.current = true
    },
  }
}

export type Import = ReturnType<typeof useImport>
