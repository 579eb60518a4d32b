import type { ChannelRouting } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../../test/setup.tsx'
import { storedChannel } from '../../../../test/stored-channel.ts'
import { RoutingTab } from './routing-tab.tsx'

const channel = (id: number, name: string, weight: number, share: number) => ({
  ...{ id, name, weight, share },
})
const routing: ChannelRouting = {
  enabled: true,
  routes: [
    {
      group: 'default',
      models: ['gpt-4o', 'gpt-4.1'],
      tiers: [
        { priority: 5, channels: [channel(7, 'main', 3, 0.75), channel(8, 'twin', 1, 0.25)] },
        { priority: 0, channels: [channel(9, 'spare', 1, 1)] },
      ],
    },
  ],
  cooldowns: [{ channel_id: 8, models: ['gpt-4o'], seconds: 20 }],
}

const open = async (response: ChannelRouting) => {
  serve(() => data(response))
  await show(<RoutingTab channel={storedChannel()} />)
}

it('the share of a channel stands beside the others of its tier, and lower tiers are fallbacks', async () => {
  await open(routing)
  const route = await screen.findByRole('region', { name: 'gpt-4o, gpt-4.1' })
  const first = within(route).getByRole('table', { name: 'Priority 5' })
  expect(
    within(first)
      .getAllByRole('cell')
      .map(each => each.textContent),
  ).toEqual(['main: 75% (weight 3)', 'twin: 25% (weight 1) · cooling down'])
  expect(
    within(route).getByRole('table', { name: 'Priority 0: only when all of the tier above fail' }),
  ).toBeTruthy()
  const own = route.querySelectorAll('[data-own=true]')
  expect([...own].map(each => each.textContent)).toEqual(['75%'])
  expect(within(route).getByRole('link', { name: 'twin' }).getAttribute('href')).toBe(
    '/panel/channel/8?tab=routing',
  )
})

it('a disabled channel says that it gets no calls', async () => {
  await open({ ...routing, enabled: false })
  expect((await screen.findByRole('alert')).textContent).toContain('gets no calls')
})
