import type { ChannelUpstream } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { formatTime } from '../../../ui/index.ts'
import { GroupField } from './group-field.tsx'
import { Upstream } from './upstream.tsx'

const at = 1_790_000_000
const models: NonNullable<ChannelUpstream['models']> = {
  ...{ mode: 'propose', checked_at: at, read_at: at, failure: '' },
  added: [
    { model: 'priced', is_priced: true },
    { model: 'unpriced', is_priced: false },
  ],
  ...{ removed: ['gone'], ignored: [] },
}
const ratio: NonNullable<ChannelUpstream['ratio']> = {
  ...{ group: 'vip', ratio: '1.8', checked_at: at, read_at: at },
  groups: [
    { group: 'default', name: 'Default', ratio: '1' },
    { group: 'vip', name: '', ratio: '1.8' },
  ],
  history: [
    { group: 'vip', ratio: '1.8', valid_from: at },
    { group: 'vip', ratio: '0.16', valid_from: at - 3_600 },
  ],
  change: { before: '0.16', after: '1.8', at },
}

const open = async (upstream: ChannelUpstream) => {
  const requests = serve(() => data(upstream))
  await show(<Upstream channel={storedChannel()} upstream={upstream} />)
  const sent = () => requests.find(each => each.method === 'POST')
  return { sent, click: (name: string) => fireEvent.click(screen.getByRole('button', { name })) }
}

it('the proposal begins with models that have a price, because a provider serves names that it does not list', async () => {
  const { sent, click } = await open({ models, ratio: null })
  await screen.findByText('priced')
  const boxes = screen.getAllByRole<HTMLInputElement>('checkbox')
  expect(boxes.map(each => each.checked)).toEqual([true, false, false])
  expect(screen.getAllByText('No price')).toHaveLength(1)
  fireEvent.click(boxes[1]!)
  click('Apply 2')
  await waitFor(() =>
    expect(sent()).toMatchObject({
      path: '/api/channel/7/models/apply',
      body: { add: ['priced', 'unpriced'], remove: [] },
    }),
  )
})

it('chosen models are not proposed again', async () => {
  const { sent, click } = await open({ models, ratio: null })
  fireEvent.click((await screen.findAllByRole('checkbox'))[2]!)
  click('Do not propose again')
  await waitFor(() =>
    expect(sent()).toMatchObject({
      path: '/api/channel/7/models/ignore',
      body: { models: ['priced', 'gone'] },
    }),
  )
})

it('a failed reading is named, and equal lists say so', async () => {
  await open({
    models: { ...models, added: [], removed: [], failure: 'It answered 500.' },
    ratio: null,
  })
  expect((await screen.findByRole('alert')).textContent).toContain('It answered 500.')
  expect(screen.getByText('The channel has the models of the list.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull()
})

it('the multiplier has its change with the old and the new value, until it is noted', async () => {
  const { sent, click } = await open({ models: { ...models, mode: 'off' }, ratio })
  const card = await screen.findByRole('region', { name: 'Multiplier of the upstream' })
  expect(within(card).getByRole('alert').textContent).toContain(
    `from 0.16 to 1.8 at ${formatTime(at)}`,
  )
  expect(
    within(card)
      .getAllByRole('listitem')
      .map(each => each.textContent),
  ).toEqual([
    `${formatTime(at)} · vip× 1.8`,
    `${formatTime(at - 3_600)} · vip× 0.16`,
    'default (Default)× 1',
    'vip× 1.8',
  ])
  click('Noted')
  await waitFor(() => expect(sent()).toMatchObject({ path: '/api/channel/7/ratio/confirm' }))
})

it('an upstream that shows no multiplier is unknown, without an alert', async () => {
  const unknown = { ratio: null, read_at: 0, groups: [], history: [], change: null }
  await open({ models: null, ratio: { ...ratio, ...unknown } })
  expect(await screen.findByText('Unknown')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('the group of the key is chosen from the groups that the upstream shows', async () => {
  const requests = serve(() => data(ratio.groups))
  const account = { type: 67, key: 'sk-x', base_url: 'https://up.example' }
  const chosen: string[] = []
  await show(
    <GroupField
      {...{ title: 'Group of the key', help: undefined, value: 'default', account }}
      set={group => chosen.push(group)}
    />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Read the groups' }))
  fireEvent.click(await screen.findByRole('button', { name: 'vip × 1.8' }))
  expect(chosen).toEqual(['vip'])
  expect(requests[0]).toMatchObject({ path: '/api/channel/provider_groups_list', body: account })
})
