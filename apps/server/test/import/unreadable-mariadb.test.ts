import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOf, dumpOf } from './databases.ts'
import { mariadbSkipReason, startMariadb, type TestMariadb } from './mariadb.ts'
import { addMariadbCopies, copyToMariadb, loosenTypes } from './mariadb-source.ts'
import { newFolder } from './target.ts'
import { title, tryCopies } from './unreadable-checks.ts'

const reason = mariadbSkipReason()

describe.skipIf(reason)(`an unreadable value in each column, on MariaDB ${reason ?? ''}`, () => {
  let mariadb: TestMariadb
  beforeAll(async () => {
    mariadb = await startMariadb()
  })
  afterAll(() => mariadb?.stop())

  it(`an import from One Hub ${title}`, async () => {
    const address = await mariadb.load('onehub', dumpOf('one-hub-mariadb'))
    const copies = await mariadb.change('onehub', addMariadbCopies)
    expect(copies.length).toBeGreaterThan(200)
    await tryCopies({ address, copies }, { dataDir: newFolder() }, 'one-hub-mariadb')
  })

  it(`an import from the tables of One Hub and done-hub with other types of columns ${title}`, async () => {
    const address = await mariadb.load('donehub', dumpOf('one-hub-mariadb'))
    await mariadb.change('donehub', loosenTypes)
    const copies = await mariadb.change('donehub', addMariadbCopies)
    expect(copies.length).toBeGreaterThan(400)
    await tryCopies({ address, copies }, { dataDir: newFolder() }, 'one-hub-mariadb')
  })

  it(`an import from New API ${title}`, async () => {
    const address = await mariadb.create('newapi')
    await mariadb.change('newapi', database => copyToMariadb(copyOf('new-api-sqlite'), database))
    const copies = await mariadb.change('newapi', addMariadbCopies)
    expect(copies.length).toBeGreaterThan(200)
    await tryCopies({ address, copies }, { dataDir: newFolder() }, 'new-api-sqlite')
  })

  it(`an import from New API with other types of columns ${title}`, async () => {
    const address = await mariadb.create('newapi_other')
    await mariadb.change('newapi_other', async database => {
      await copyToMariadb(copyOf('new-api-sqlite'), database)
      await loosenTypes(database)
    })
    const copies = await mariadb.change('newapi_other', addMariadbCopies)
    expect(copies.length).toBeGreaterThan(400)
    await tryCopies({ address, copies }, { dataDir: newFolder() }, 'new-api-sqlite')
  })
})
