import { expect, it } from 'vitest'
import { describeStores } from '../../test/stores.ts'
import { withoutNul } from './without-nul.ts'

it.each([
  ['insert into "a" ("b", "c") values ($1, $2)', ['x', 'y']],
  ['update "a" set "b" = $1, "c" = $2 where "id" = $3', ['x', 'y', 'z\0']],
  ['update "a" set "b" = ? WHERE "id" = ?', ['x', 'y\0']],
  ['select * from "a" where "b" = $1', ['x\0']],
  ['delete from "a" where "b" = ?', ['x\0']],
] as [string, string[]][])('NUL is left out of what %s writes', (sql, expected) => {
  const given = ['x\0', '\0y', 'z\0'].slice(0, expected.length)
  const kept = expected.map((each, index) => (each.includes('\0') ? given[index]! : each))
  expect(withoutNul(sql, given)).toEqual(kept)
})

it('parameters without NUL are the same list', () => {
  const parameters = ['x', 1, null]
  expect(withoutNul('insert into "a" values (?, ?, ?)', parameters)).toBe(parameters)
})

describeStores('texts with NUL', stores => {
  it('are stored without it, and a lookup by it finds no other row', async () => {
    const { db } = await stores.open()
    await db.insertInto('options').values({ key: 'a', value: 'one\0two' }).execute()
    const read = async (key: string) =>
      (await db.selectFrom('options').select('value').where('key', '=', key).execute()).map(
        each => each.value,
      )
    expect(await read('a')).toEqual(['onetwo'])
    await db.updateTable('options').set({ value: '\0three' }).where('key', '=', 'a').execute()
    expect(await read('a')).toEqual(['three'])
    // PostgreSQL refuses the lookup, SQLite finds nothing.
    expect(await read('a\0').catch(({ code }) => [code])).toSatisfy(
      (found: unknown[]) => found.length === 0 || found[0] === '22021',
    )
  })
})
