import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder } from '../../test/folder.ts'
import { movedClock } from './clock.ts'

const hour = 3_600_000
/** Never minus zero, which is what a millisecond between the two clocks comes to. */
const about = (milliseconds: number) =>
  Math.round((milliseconds - Date.now()) / 10_000) * 10_000 + 0

it('the clock is wrong by what the file says, follows it, and is right where there is none', async () => {
  const file = join(freshFolder(), 'clock')
  const now = movedClock(file)
  expect(about(now())).toBe(0)
  writeFileSync(file, String(-hour))
  await expect.poll(() => about(now())).toBe(-hour)
  expect(about(movedClock(file)())).toBe(-hour)
})
