import { expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { listAll } from '../../db/queries/prices.ts'
import type { GatewayData, ImportedPrice } from '../gateway-data.ts'
import { ReportDraft } from '../report.ts'
import { amountOf } from '../sources/values.ts'
import { writePrices } from './prices.ts'

it.each([
  ['0', 0],
  ['0.25', 0.25],
  [1.5, 1.5],
  [null, Number.NaN],
  [undefined, Number.NaN],
  ['', Number.NaN],
  ['free', Number.NaN],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])('the price %j of a source is read as %d', (value, expected) => {
  expect(amountOf({ input: value } as never, 'input')).toBe(expected)
})

onBothEngines('imported prices', open => {
  it('keep a 0 of the source and report it, and leave out values that are not numbers', async () => {
    const hub: TestApp = await open()
    const report = new ReportDraft({
      skipped: [],
      changes: [],
      left: [],
      history: [],
    } as never as GatewayData)
    const price = (model: string, input: number, output: number): ImportedPrice => ({
      ...{ model, type: 'tokens', channel_type: 1, input, output, locked: true },
      extra_ratios: null,
    })
    await hub.app.db.deleteFrom('prices').execute()
    await writePrices(
      { app: hub.app, tx: hub.app.db, report, users: new Map(), groups: new Map() },
      [
        price('paid', 1, 2),
        price('free', 0, 0),
        price('null', Number.NaN, 1),
        price('infinite', 1, Number.POSITIVE_INFINITY),
        { ...price('half', 1, 2), output: null as never },
        price('fre*', 0, 0),
        price('fresh', Number.NaN, 1),
      ],
    )
    expect((await listAll(hub.app.db)).map(each => [each.model, each.input])).toEqual([
      ['fre*', '0'],
      ['free', '0'],
      ['paid', '1'],
    ])
    expect(report.changes.map(({ name, change }) => [name, change])).toEqual([
      ['free', 'is free of charge, because the source says 0'],
      ['fre*', 'is free of charge, because the source says 0'],
    ])
    expect(report.skipped.map(each => each.name)).toEqual(['null', 'infinite', 'half', 'fresh'])
    expect(report.skipped[3]!.reason).toContain('cost what “fre*” says, which is free of charge')
  })
})
