import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTempFolder } from '../../../test/temp-folder.ts'
import { offsetClock } from './offset-clock.ts'

const hour = 3_600_000
/** Rounds to ten seconds; adding 0 turns minus zero into zero. */
const roundedOffset = (milliseconds: number) =>
  Math.round((milliseconds - Date.now()) / 10_000) * 10_000 + 0

it('adds the offset in the file, follows its changes, and adds nothing without a file', async () => {
  const file = join(makeTempFolder(), 'clock')
  const now = offsetClock(file)
  expect(roundedOffset(now())).toBe(0)
  writeFileSync(file, String(-hour))
  await expect.poll(() => roundedOffset(now())).toBe(-hour)
  expect(roundedOffset(offsetClock(file)())).toBe(-hour)
})
