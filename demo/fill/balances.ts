import { recordReading } from '../../apps/server/src/channel-tests/index.ts'
import type { DemoChannel } from '../world/channels.ts'
import type { Random } from '../world/random.ts'
import type { FillHub } from './hub.ts'

const daySeconds = 86_400
const readings = 120
const stepSeconds = 6 * 3_600
/** The reading before which the account was paid into. */
const paidAt = 48
/** Only this share was left at that time. */
const shareBefore = 0.3

type Filled = {
  id: number
  name: string
  balance: NonNullable<DemoChannel['balance']>
  end: number
}

/** Readings of a month that end with this balance, with a payment on the way. */
export const fillBalances = async (
  hub: FillHub,
  random: Random,
  { id, name, balance: { left, days }, end }: Filled,
): Promise<void> => {
  const amounts = [left]
  for (let count = 1; count < readings; count += 1) {
    const used = (left / days) * (stepSeconds / daySeconds) * (0.7 + 0.6 * random.share())
    const after = amounts[0]! * (count === paidAt ? shareBefore : 1)
    amounts.unshift(after + used)
  }
  for (const [index, amount] of amounts.entries())
    await hub.at(end - 600 - (readings - 1 - index) * stepSeconds, () =>
      recordReading(
        hub.app,
        { id, name, options: {} },
        { amount: amount.toFixed(2), currency: 'USD', kind: 'wallet' },
      ),
    )
}
