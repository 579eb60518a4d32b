import type { ChannelChange } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { HistoryDialog } from './history-dialog.tsx'

const change = (id: number, over: Partial<ChannelChange>): ChannelChange => ({
  ...{ id, at: 1_790_000_000, fingerprint: '', status: 1, cause: 'manual', actor: '', code: '' },
  ...{ http_status: null, model: '', reason: '', request_id: '', ...over },
})

const open = async (changes: ChannelChange[]) => {
  const requests = serve(() => data(changes))
  await show(<HistoryDialog channel={{ id: 7, name: 'main' }} close={() => {}} />)
  const dialog = await screen.findByRole('dialog', { name: 'History of “main”' })
  return { requests, dialog: within(dialog) }
}

it('each change names who made it, and an automatic one its evidence', async () => {
  const { requests, dialog } = await open([
    change(3, { cause: 'test', reason: '0.4 s', model: 'm' }),
    change(2, {
      ...{ status: 3, cause: 'automatic', code: 'upstream.credential', http_status: 401 },
      ...{ model: 'gpt-x', reason: 'No such key', fingerprint: 'abcdef012345', request_id: '99' },
    }),
    change(1, { status: 2, actor: 'ada' }),
  ])
  const [tested, failed, manual] = await dialog.findAllByRole('listitem')
  expect(tested!.textContent).toContain('Enabled')
  expect(tested!.textContent).toContain('By a passed test')
  for (const text of ['Disabled automatically', 'No such key', 'HTTP 401', 'gpt-x', '99'])
    expect(failed!.textContent).toContain(text)
  expect(failed!.textContent).toContain('upstream.credential')
  expect(failed!.textContent).toContain('Key abcdef012345')
  expect(manual!.textContent).toContain('Disabled manually')
  expect(manual!.textContent).toContain('By ada')
  expect(requests.map(each => each.path)).toContain('/api/channel/7/changes')
})

it('a channel that never changed has an empty history', async () => {
  const { dialog } = await open([])
  expect(await dialog.findByText('No changes in the last 90 days')).toBeTruthy()
})
