import type { ChannelHealth } from '@hub/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { PageKeys } from '../../../ui/table/page-keys.ts'
import { HealthCell, ProposedModels } from './cell.tsx'

const none = { added: 0, removed: 0 }
const quiet = { requests: 0, failed: 0, empty: 0 }
const hours = (last: typeof quiet) => [...Array.from({ length: 23 }, () => quiet), last]
const health: ChannelHealth = {
  ...{ begin: 1_790_000_000, complete: true },
  channels: [
    { id: 2, hours: hours(quiet), proposed: { added: 3, removed: 1 } },
    { id: 10, hours: hours({ requests: 90, failed: 10, empty: 0 }), proposed: none },
  ],
}

it('one request reads the health of all rows of the page', async () => {
  const requests = serve(() => data(health))
  await show(
    <PageKeys value={[10, 2]}>
      <HealthCell id={10} />
      <HealthCell id={2} />
    </PageKeys>,
  )
  const name = '24 h: 90% succeeded, answered: 90, failed: 10'
  expect((await screen.findByRole('img', { name })).children).toHaveLength(24)
  expect(screen.getByRole('img', { name: '24 h: no calls' })).toBeTruthy()
  const sent = requests.filter(({ path }) => path === '/api/channel/health')
  expect(sent.map(({ query }) => query.get('ids'))).toEqual(['2,10'])
})

it('answers without content are named, and do not count as succeeded', async () => {
  serve(() =>
    data({
      ...health,
      channels: [{ id: 3, hours: hours({ requests: 90, failed: 10, empty: 45 }), proposed: none }],
    }),
  )
  await show(
    <PageKeys value={[3]}>
      <HealthCell id={3} />
    </PageKeys>,
  )
  const name = '24 h: 45% succeeded, answered: 90, without content: 45, failed: 10'
  expect(await screen.findByRole('img', { name })).toBeTruthy()
})

it('a row names how many models are proposed, with a link to the page of its channel', async () => {
  const requests = serve(() => data(health))
  await show(
    <PageKeys value={[10, 2]}>
      <ProposedModels id={10} />
      <ProposedModels id={2} />
    </PageKeys>,
  )
  const links = await screen.findAllByRole('link')
  expect(links.map(each => [each.textContent, each.getAttribute('href')])).toEqual([
    ['New models: 3, not listed any more: 1', '/panel/channel/2'],
  ])
  expect(requests).toHaveLength(1)
})
