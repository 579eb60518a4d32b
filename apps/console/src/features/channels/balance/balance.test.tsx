import type { ChannelBalanceHistory, ChannelBalances } from '@hub/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { formatTime } from '../../../ui/index.ts'
import { PageKeys } from '../../../ui/table/page-keys.ts'
import { BalanceCard } from './card.tsx'
import { BalanceCell } from './cell.tsx'

const at = 1_790_000_000
const day = 86_400
const withBalance = (id: number, balance: number) =>
  storedChannel({ id, balance, balance_currency: 'USD', balance_updated_time: at })

const balances: ChannelBalances = {
  channels: [
    { id: 2, kind: 'wallet', until: at + 2 * day, warning: 'days', points: [30, 20, 10] },
    { id: 10, kind: 'wallet', until: null, warning: '', points: [5] },
    { id: 11, kind: 'wallet', until: at, warning: 'empty', points: [5, 0] },
  ],
}

it('one request reads the balances of all rows of the page', async () => {
  const requests = serve(() => data(balances))
  await show(
    <PageKeys value={[10, 2, 11]}>
      <div data-testid="2">
        <BalanceCell channel={withBalance(2, 10)} />
      </div>
      <div data-testid="10">
        <BalanceCell channel={withBalance(10, 5)} />
      </div>
      <div data-testid="11">
        <BalanceCell channel={withBalance(11, 0)} />
      </div>
      <div data-testid="12">
        <BalanceCell channel={storedChannel({ id: 12 })} />
      </div>
    </PageKeys>,
  )
  const date = formatTime(at + 2 * day).slice(0, 10)
  await screen.findByText(`until ${date}`)
  const texts = ['2', '10', '11', '12'].map(id => screen.getByTestId(id).textContent)
  expect(texts).toEqual([`$10.00until ${date}`, '$5.00', '$0.00used up', '–'])
  // A single reading is no curve.
  expect(screen.getAllByRole('img', { name: 'Balance of the last 7 days' })).toHaveLength(2)
  const sent = requests.filter(({ path }) => path === '/api/channel/balances')
  expect(sent.map(({ query }) => query.get('ids'))).toEqual(['2,10,11'])
})

const reading = (seconds: number, amount: string, currency = 'USD') => ({
  ...{ at: at + seconds, amount, currency, kind: 'wallet' as const },
})
const history: ChannelBalanceHistory = {
  ...{ is_offered: true, checked_at: at, kind: 'wallet', until: at + 3 * day, warning: '' },
  ...{ per_day: 9.876543, below: 0 },
  readings: [reading(-day, '700', 'CNY'), reading(0, '40.5'), reading(day, '30.0000000001')],
}

const open = async (over: Partial<ChannelBalanceHistory> = {}) => {
  const requests = serve(() => data({ ...history, ...over }))
  await show(<BalanceCard id={7} />)
  await screen.findByRole('region', { name: 'How long does the balance at the provider last?' })
  return requests
}

it('the page shows until when the balance lasts, and the exact readings as a table', async () => {
  await open()
  const date = formatTime(at + 3 * day).slice(0, 16)
  expect(screen.getByText(`Until ${date}, at about $9.88 a day.`)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }))
  await screen.findByRole('table')
  const cells = screen.getAllByRole('cell').map(each => each.textContent)
  expect(cells.filter(Boolean)).toEqual(expect.arrayContaining(['$40.50', '$30.0000000001']))
  // A curve has one currency.
  expect(cells.join()).not.toContain('700')
})

it('the period of the curve is chosen', async () => {
  const requests = await open()
  fireEvent.click(screen.getByRole('button', { name: '90 days' }))
  const days = () => requests.map(({ query }) => query.get('days'))
  await waitFor(() => expect(days()).toEqual(['30', '90']))
})

it.each([
  ['an end that is not known', { until: null, per_day: null }, /^Not known yet/],
  [
    'an end in many years',
    { until: null, per_day: 0.00123 },
    /^For more than five years, at about \$0\.00123 a day\.$/,
  ],
  ['a window', { kind: 'window', until: null, per_day: null }, /^This limit refills/],
  ['a used up account', { warning: 'empty' }, /^It is used up\.$/],
  ['a limit of the channel', { below: 12.5 }, /Administrators are warned below \$12\.50\.$/],
] as const)('the page tells %s in words', async (_, over, text) => {
  await open(over)
  expect(screen.getByText(text)).toBeTruthy()
})

it('a time without a reading is no empty curve', async () => {
  await open({ readings: [], until: null, per_day: null })
  expect(screen.getByText('No balance was read in this time')).toBeTruthy()
})
