import type { NewModelInfo } from '@hub/contract'
import { expect, it } from 'vitest'
import { apiError } from '../../../api/error.ts'
import { type ImportStep, planImport, runImport } from './run.ts'

const info = (model: string): NewModelInfo => ({
  ...{ model, name: model, description: '', context_length: 0, max_tokens: 0 },
  ...{ input_modalities: '[]', output_modalities: '[]', tags: '[]', support_url: '[]' },
})
const infos = [info('old'), info('new'), info('newer')]
const ids = new Map([['old', 7]])
const stepsOf = (steps: readonly ImportStep[]) => steps.map(({ info, id }) => [info.model, id])

it('stored models are skipped, or written with their id', () => {
  expect(stepsOf(planImport(infos, ids, 'skip'))).toEqual([
    ['new', undefined],
    ['newer', undefined],
  ])
  expect(stepsOf(planImport(infos, ids, 'overwrite'))).toEqual([
    ['old', 7],
    ['new', undefined],
    ['newer', undefined],
  ])
})

const run = async (
  send: (step: ImportStep) => Promise<unknown>,
  isStopped: () => boolean = () => false,
) => {
  const seen: number[] = []
  const steps = planImport(infos, ids, 'overwrite')
  return [await runImport(steps, { send, isStopped, onProgress: done => seen.push(done) }), seen]
}

it('each entry is written once and counted', async () => {
  const sent: string[] = []
  expect(await run(async step => sent.push(step.info.model))).toEqual([
    { created: 2, updated: 1, failed: [], left: 0 },
    [1, 2, 3],
  ])
  expect(sent).toEqual(['old', 'new', 'newer'])
})

it('a refused entry is named, and the others are written', async () => {
  const error = apiError(409, { code: 'resource.exists' })
  const send = async ({ info }: ImportStep) => {
    if (info.model === 'new') throw error
  }
  expect(await run(send)).toEqual([
    { created: 1, updated: 1, failed: [{ model: 'new', error }], left: 0 },
    [1, 2, 3],
  ])
})

it('a failure that every entry would meet ends the import', async () => {
  for (const status of [0, 401, 429, 503]) {
    const error = apiError(status)
    const send = async ({ info }: ImportStep) => {
      if (info.model === 'new') throw error
    }
    expect(await run(send)).toEqual([{ created: 0, updated: 1, failed: [], left: 2, error }, [1]])
  }
})

it('a stop lets the entry that is being written end, and counts the rest', async () => {
  let sent = 0
  const send = async () => {
    sent += 1
  }
  expect(await run(send, () => sent === 1)).toEqual([
    { created: 0, updated: 1, failed: [], left: 2 },
    [1],
  ])
})
