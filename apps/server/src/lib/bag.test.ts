import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeBag } from './bag.ts'

it('holds what was added and not removed, each once, whatever the order', () => {
  const things = Array.from({ length: 8 }, (_, name) => ({ name, place: -1 }))
  const steps = fc.array(fc.record({ isAdding: fc.boolean(), which: fc.nat(things.length - 1) }))
  fc.assert(
    fc.property(steps, all => {
      const bag = makeBag<(typeof things)[number]>()
      const model = new Set<(typeof things)[number]>()
      for (const each of things) each.place = -1
      for (const { isAdding, which } of all) {
        const thing = things[which]!
        if (isAdding) {
          bag.add(thing)
          model.add(thing)
        } else {
          bag.remove(thing)
          model.delete(thing)
        }
        expect(bag.size()).toBe(model.size)
        expect(new Set(bag.all())).toEqual(model)
        expect(thing.place === -1).toBe(!model.has(thing))
      }
    }),
  )
})
