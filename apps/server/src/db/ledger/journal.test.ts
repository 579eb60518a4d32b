import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTempFolder } from '../../../test/temp-folder.ts'
import type { LedgerOperation } from '../operations.ts'
import { openJournal } from './journal.ts'

const fresh = () => join(makeTempFolder(), 'journal')
const giveBack = (id: number): LedgerOperation => ({ kind: 'void', id })

it('returns the appended operations in order, also after reopening', async () => {
  const path = fresh()
  const journal = await openJournal(path)
  await Promise.all([1, 2, 3].map(id => journal.append(giveBack(id))))
  expect(await journal.read()).toEqual([1, 2, 3].map(giveBack))
  await journal.close()
  const next = await openJournal(path)
  expect(await next.read()).toEqual([1, 2, 3].map(giveBack))
  expect(await next.empty(next.count)).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('')
  await next.close()
})

it('removes a torn last line', async () => {
  const path = fresh()
  const journal = await openJournal(path)
  await journal.append(giveBack(1))
  await journal.close()
  appendFileSync(path, '{"kind":"vo')
  const next = await openJournal(path)
  await next.append(giveBack(2))
  expect(await next.read()).toEqual([giveBack(1), giveBack(2)])
  await next.close()
})

it('keeps operations that were appended after the count was read', async () => {
  const journal = await openJournal(fresh())
  await journal.append(giveBack(1))
  const { count } = journal
  await journal.append(giveBack(2))
  expect(await journal.empty(count)).toBe(false)
  expect(await journal.read()).toHaveLength(2)
  await journal.close()
})

it('loses no operation that is appended while it is being emptied, and reports that it is not empty', async () => {
  const journal = await openJournal(fresh())
  for (let id = 1; id <= 200; id += 1) {
    await journal.append(giveBack(id))
    const emptying = journal.empty(journal.count)
    // Now, or when the file is already being cut.
    if (id % 2 === 0) await new Promise(setImmediate)
    const adding = journal.append(giveBack(1_000 + id))
    const isEmpty = await emptying
    await adding
    const left = await journal.read()
    expect([id, left.at(-1)]).toEqual([id, giveBack(1_000 + id)])
    if (id % 2 === 1) expect(isEmpty).toBe(false)
    expect(await journal.empty(journal.count)).toBe(true)
    expect(await journal.read()).toEqual([])
  }
  await journal.close()
})
