import { readFileSync, writeFileSync } from 'node:fs'
import { ruleTables } from '@hub/providers'
import { expect, it } from 'vitest'
import { head, tableOf } from './page.ts'

const file = new URL('../../../../docs/model-rules.md', import.meta.url)
const page = `${[head, ...Object.entries(ruleTables).map(tableOf)].join('\n\n')}\n`

it('the page of model rules has every row of every table', () => {
  if (process.env.WRITE_MODEL_RULES) writeFileSync(file, page)
  expect(readFileSync(file, 'utf8')).toBe(page)
})

it('each rule names its source and the day on which it was read', () => {
  const rules = Object.values(ruleTables).flat()
  expect(rules.length).toBeGreaterThan(60)
  const unnamed = rules.filter(
    ({ source, date }) =>
      !/^(https:\/\/\S+|tried on \d{4}-\d\d-\d\d)$/.test(source) || !/^\d{4}-\d\d-\d\d$/.test(date),
  )
  expect(unnamed).toEqual([])
})
