import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/harness.ts'
import * as promptRatios from '../../db/queries/prompt-ratios.ts'
import { hasFreshFigure, ratioOf, saveFigure } from './ratios.ts'

onBothEngines('ratios of prompts', open => {
  it('without figures a model has the usual ratio of its vendor', async () => {
    const { app } = await open()
    expect(await ratioOf(app, 'gpt-4o', 1)).toBe(1)
    expect(await ratioOf(app, 'claude-opus-4-6', 1)).toBe(1.27)
  })

  it('a figure of the caller alone moves it by a fifth at most', async () => {
    const { app } = await open()
    await saveFigure(app, { model: 'm', userId: 1, ratio: 1.1 })
    expect(await ratioOf(app, 'm', 1)).toBe(1.1)
    await saveFigure(app, { model: 'm', userId: 1, ratio: 0.3 })
    expect(await ratioOf(app, 'm', 1)).toBeCloseTo(1 / 1.2)
  })

  it('with three others it is their median, whatever the calls of the caller say', async () => {
    const { app } = await open()
    for (const [userId, ratio] of [
      [1, 0.5],
      [2, 1.3],
      [3, 1.4],
      [4, 3.9],
    ] as const)
      await saveFigure(app, { model: 'm', userId, ratio })
    expect(await ratioOf(app, 'm', 1)).toBe(1.4)
    await saveFigure(app, { model: 'm', userId: 1, ratio: 3 })
    expect(await ratioOf(app, 'm', 1)).toBe(1.4)
    expect(await ratioOf(app, 'another', 1)).toBe(1)
  })

  it('others do not move it beyond twice or half of the usual one', async () => {
    const { app } = await open()
    for (const userId of [2, 3, 4]) await saveFigure(app, { model: 'm', userId, ratio: 3 })
    expect(await ratioOf(app, 'm', 1)).toBe(2)
    for (const userId of [2, 3, 4]) await saveFigure(app, { model: 'm', userId, ratio: 0.3 })
    expect(await ratioOf(app, 'm', 1)).toBe(0.5)
  })

  it('a figure that no tokenizer makes is dropped', async () => {
    const { app } = await open()
    for (const ratio of [0, -1, 0.1, 50, Number.NaN, Number.POSITIVE_INFINITY])
      await saveFigure(app, { model: 'm', userId: 2, ratio })
    expect(await promptRatios.list(app.db, 'm')).toEqual([])
  })

  it('the newest figure of each of 31 users is kept, and for 90 days', async () => {
    const { app, clock } = await open()
    for (let userId = 1; userId <= 35; userId += 1) {
      clock.now += 1_000
      await saveFigure(app, { model: 'm', userId, ratio: 1 })
      await saveFigure(app, { model: 'm', userId, ratio: 1.5 })
    }
    const rows = await promptRatios.list(app.db, 'm')
    expect(rows.map(each => each.user_id).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 31 }, (_, at) => at + 5),
    )
    expect(new Set(rows.map(each => each.permille))).toEqual(new Set([1_500]))
    expect(await hasFreshFigure(app, 'm', 35)).toBe(true)
    clock.now += 91 * 86_400_000
    expect(await hasFreshFigure(app, 'm', 35)).toBe(false)
    await saveFigure(app, { model: 'other', userId: 1, ratio: 1 })
    expect(await promptRatios.list(app.db, 'm')).toEqual([])
  })
})
