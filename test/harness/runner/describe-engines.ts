import { describe } from 'vitest'
import { type Engine, engines } from '../engines.ts'

/** The same promises on every engine. What this machine lacks is skipped here and named by `npm test`. */
export const describeEachEngine = (suite: (engine: Engine) => void): void => {
  for (const engine of engines)
    describe.skipIf(!engine.available)(`on ${engine.name}`, () => suite(engine))
}

/** The same, with all its tests and all engines at once: for suites whose tests share nothing that one could break. */
export const describeEachEngineConcurrently = (suite: (engine: Engine) => void): void => {
  for (const engine of engines)
    describe.skipIf(!engine.available).concurrent(`on ${engine.name}`, () => suite(engine))
}

/**
 * The engines side by side, the tests of each one by one: for suites that mostly wait. What measures time or memory must
 * have the machine for itself.
 */
export const describeEnginesInParallel = (suite: (engine: Engine) => void): void => {
  for (const engine of engines)
    describe.skipIf(!engine.available)(`on ${engine.name}`, { concurrent: true }, () => {
      describe('one by one', { concurrent: false }, () => suite(engine))
    })
}
