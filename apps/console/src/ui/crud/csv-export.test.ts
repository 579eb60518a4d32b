import { expect, it } from 'vitest'
import type { T } from '../../locales/use-t.ts'
import { safeFileName } from '../csv.ts'
import { loadAllPages, rowsToCsv } from './csv-export.tsx'

const t = ((key: string) => key) as T
const row = (id: number, name = `row ${id}`) => ({ id, name })

it('the file name contains only characters that every file system accepts', () => {
  expect(safeFileName('summer', 'codes')).toBe('summer')
  expect(safeFileName('../a:b?', 'codes')).toBe('-a-b-')
  expect(safeFileName('..', 'codes')).toBe('codes')
})

it('an export has a translated header and no formulas', () => {
  const columns = [
    ['id', (each: { id: number }) => each.id],
    ['name', (each: { name: string }) => each.name],
    ['status', (_: unknown, translate: T) => translate('codes.status.1')],
  ] as const
  const csv = rowsToCsv(t, 'codes', columns as never, [row(1, '=1+1'), row(2)])
  expect(csv.replace('\uFEFF', '').split('\r\n')).toEqual([
    'codes.fields.id,codes.fields.name,codes.fields.status',
    "1,'=1+1,codes.status.1",
    '2,row 2,codes.status.1',
    '',
  ])
})

it('all pages are loaded, and a row that moved to the next page is exported once', async () => {
  const pages = [
    { data: [row(5), row(4)], size: 2 },
    { data: [row(4), row(3)], size: 2 },
    { data: [row(2)], size: 2 },
  ]
  const requestedPages: number[] = []
  const rows = await loadAllPages(async page => {
    requestedPages.push(page)
    return pages[page - 1]!
  })
  expect(rows.map(each => each.id)).toEqual([5, 4, 3, 2])
  expect(requestedPages).toEqual([1, 2, 3])
})
