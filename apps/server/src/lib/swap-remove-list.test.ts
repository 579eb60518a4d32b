import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeSwapRemoveList } from './swap-remove-list.ts'

it('holds every item that was added and not removed once, in any order of operations', () => {
  const items = Array.from({ length: 8 }, (_, name) => ({ name, listIndex: -1 }))
  const steps = fc.array(fc.record({ isAdding: fc.boolean(), which: fc.nat(items.length - 1) }))
  fc.assert(
    fc.property(steps, all => {
      const list = makeSwapRemoveList<(typeof items)[number]>(each => each)
      const model = new Set<(typeof items)[number]>()
      for (const each of items) each.listIndex = -1
      for (const { isAdding, which } of all) {
        const item = items[which]!
        if (isAdding) {
          list.add(item)
          model.add(item)
        } else {
          list.remove(item)
          model.delete(item)
        }
        expect(list.size()).toBe(model.size)
        expect(new Set(list.toArray())).toEqual(model)
        expect(item.listIndex === -1).toBe(!model.has(item))
      }
    }),
  )
})
