import { describe } from 'vitest'
import { type Engine, engines } from '../engines.ts'

/** Runs the suite on every engine. An engine that is not installed is skipped and listed by `npm test`. */
export const describeEachEngine = (suite: (engine: Engine) => void): void => {
  for (const engine of engines)
    describe.skipIf(!engine.available)(`on ${engine.name}`, () => suite(engine))
}

/** Runs the suite on SQLite only: for behaviour that no statement of the database affects. */
export const describeOneEngine = (suite: (engine: Engine) => void): void => {
  describe('on SQLite', () => suite({ name: 'SQLite', available: true }))
}

/** Runs the suite on SQLite, and in the soak on every engine: for rules of access, which no statement of the database affects. */
export const describeOneEngineBeforeSoak = (suite: (engine: Engine) => void): void =>
  process.env.HUB_EVERY_ENGINE ? describeEachEngine(suite) : describeOneEngine(suite)

/** Runs all tests on all engines at once: for suites whose tests share no state. */
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
