import type { CacheFigures, ChannelCache } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { CacheCard } from './cache-card.tsx'

const figures: CacheFigures = {
  ...{ calls: 40, prompt_tokens: 80_000, read_tokens: 50_000, written_tokens: 900 },
  ...{ hit_rate: 0.625, misses: { expecting: 30, calls: 4, tokens: 9_000, points: 250_000 } },
}
const silent: CacheFigures = {
  ...{ calls: 3, prompt_tokens: 70, read_tokens: 0, written_tokens: 0 },
  ...{ hit_rate: null, misses: null },
}

const open = async (cache: ChannelCache) => {
  const requests = serve(() => data(cache))
  await show(<CacheCard id={7} />)
  return requests
}

it('the card has the figures of the channel and of each model', async () => {
  const requests = await open({
    ...{ begin: 1_790_000_000, until: 1_790_003_600, totals: figures },
    models: [
      { ...figures, model: 'claude-sonnet-4-6' },
      { ...silent, model: 'llama' },
    ],
  })
  const card = within(await screen.findByRole('region', { name: 'Prompt cache, last 7 days' }))
  expect(requests.map(({ path }) => path)).toContain('/api/channel/7/cache')
  expect(card.getByText(/^Calls until .* are counted\.$/)).toBeTruthy()
  expect(card.getByText('50,000 of 80,000 prompt tokens read from the cache')).toBeTruthy()
  const rows = within(card.getByRole('table', { name: 'Prompt cache by model' })).getAllByRole(
    'row',
  )
  expect(rows.slice(1).map(row => row.textContent)).toEqual([
    'claude-sonnet-4-64080,00050,00090062.5%$0.50',
    'llama37000––',
  ])
})

it('a channel without calls says so, and when none is counted yet', async () => {
  const none = { ...silent, calls: 0, prompt_tokens: 0 }
  await open({ begin: 1_790_000_000, until: null, totals: none, models: [] })
  expect(await screen.findByText('No calls in this period')).toBeTruthy()
  expect(screen.getByText('No calls are counted yet.')).toBeTruthy()
  expect(screen.queryByRole('table')).toBeNull()
})
