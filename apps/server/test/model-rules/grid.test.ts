import { readFileSync, writeFileSync } from 'node:fs'
import { providerOf } from '@hub/providers'
import { expect, it } from 'vitest'
import { documentFile, documentOf } from '../../../../test/conformance/document.ts'
import type { Grid } from '../../../../test/conformance/grid.ts'
import grid from '../../src/features/conformance/grid.json' with { type: 'json' }
import { classes, isRefused } from './classes.ts'
import { outcomeOf } from './outcome.ts'
import { type QuestionKind, questions } from './questions.ts'
import { type CallerDialect, writers } from './writers.ts'

const kinds = Object.keys(questions) as QuestionKind[]
const callers = Object.keys(writers) as CallerDialect[]
const file = new URL('../../../../test/conformance/model-rules.json', import.meta.url)

/** The questions of each caller that the vendor accepts, by model. */
type Shares = Record<string, Partial<Record<CallerDialect, number>>>
const shares: Shares = {}

it.each(classes)('each question to $model has the outcome of the table', given => {
  const provider = providerOf(given.type)!
  const wrong: string[] = []
  for (const caller of callers)
    for (const kind of kinds) {
      const { result, isOwn, words } = outcomeOf(caller, kind, { provider, model: given.model })
      // The vendor itself answers what its own callers ask.
      const expected = isOwn
        ? ['met', 'passed']
        : [isRefused(kind, caller, given) ? 'refused' : 'met']
      if (!expected.includes(result)) wrong.push(`${caller}, ${kind}: ${result} ${words}`)
      shares[given.model] ??= {}
      const row = shares[given.model]!
      row[caller] = (row[caller] ?? 0) + (result === 'met' ? 1 : 0)
    }
  expect(wrong).toEqual([])
})

it('no class is accepted less often than the page of conformance says', () => {
  const text = `${JSON.stringify({ questions: kinds.length, accepted: shares }, null, 2)}\n`
  const page = documentOf(grid as Grid, JSON.parse(text))
  if (process.env.WRITE_MODEL_RULES) {
    writeFileSync(file, text)
    writeFileSync(documentFile, page)
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text))
  expect(readFileSync(documentFile, 'utf8')).toBe(page)
})
