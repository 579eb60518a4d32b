import type { Redemption } from '@hub/contract'
import { expect, it } from 'vitest'
import type { T } from '../../ui/index.ts'
import { allPages, codeFile, redemptionsCsv } from './export.ts'

const code = (id: number, more: Partial<Redemption> = {}): Redemption => ({
  id,
  user_id: 1,
  key: `code-${id}`,
  status: 1,
  name: 'summer',
  quota: 500_000,
  created_time: 1_700_000_000,
  redeemed_time: 0,
  used_user_id: 0,
  used_username: '',
  expired_time: -1,
  ...more,
})
const t = ((key: string) => key) as T

it('a file has one code a line, under a name that every system takes', () => {
  expect(codeFile('summer', ['a', 'b'])).toEqual({ name: 'summer.txt', text: 'a\nb\n' })
  expect(codeFile('../a:b?', ['a']).name).toBe('-a-b-.txt')
  expect(codeFile('..', ['a']).name).toBe('codes.txt')
})

it('an export has every code, and no formula', () => {
  const csv = redemptionsCsv(t, [code(1, { name: '=1+1' }), code(2, { status: 3 })])
  const [head, first, second] = csv.replace('\uFEFF', '').split('\r\n')
  expect(head).toContain('redemptions.fields.key')
  expect(first).toContain("'=1+1")
  expect(first).toContain('code-1,redemptions.status.1,500000,,')
  expect(second).toContain('redemptions.status.3')
})

it('all pages are read, and a row that moved to the next page stands there once', async () => {
  const pages = [
    { data: [code(5), code(4)], size: 2 },
    { data: [code(4), code(3)], size: 2 },
    { data: [code(2)], size: 2 },
  ]
  const asked: number[] = []
  const all = await allPages(async page => {
    asked.push(page)
    return pages[page - 1]!
  })
  expect(all.map(each => each.id)).toEqual([5, 4, 3, 2])
  expect(asked).toEqual([1, 2, 3])
})
