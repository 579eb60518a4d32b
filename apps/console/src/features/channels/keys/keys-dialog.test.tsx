import type { ChannelKey } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { KeysDialog } from './keys-dialog.tsx'

const key = (index: number, over: Partial<ChannelKey> = {}): ChannelKey => ({
  ...{ index, fingerprint: `${index}`.repeat(12), status: 1, reason: '', changed_at: 0 },
  ...over,
})

const open = async (keys: ChannelKey[]) => {
  const requests = serve(() => data(keys))
  await show(<KeysDialog channel={{ id: 7, name: 'main' }} close={() => {}} />)
  const dialog = await screen.findByRole('dialog', { name: 'Keys of “main”' })
  const rows = await within(dialog).findAllByRole('listitem')
  return { requests, dialog, rows }
}

it('each key has its state and the reason of the gateway, and is switched by its fingerprint', async () => {
  const reason = 'failure: Incorrect API key'
  const { requests, rows } = await open([
    key(1),
    key(2, { status: 3, reason, changed_at: 1_790_000_000 }),
  ])
  expect(rows[0]!.textContent).not.toContain('Disabled')
  expect(rows[1]!.textContent).toContain('Disabled automatically')
  expect(rows[1]!.textContent).toContain(reason)
  fireEvent.click(within(rows[1]!).getByRole('switch', { name: 'Status: 222222222222' }))
  await waitFor(() =>
    expect(requests.at(-2) ?? requests.at(-1)).toMatchObject({
      method: 'PUT',
      path: '/api/channel/7/keys/222222222222',
      body: { status: 1 },
    }),
  )
})

it('the last enabled key can be neither disabled nor deleted, and keys are added one per line', async () => {
  const { requests, dialog, rows } = await open([key(1), key(2, { status: 2 })])
  expect(within(rows[0]!).getByRole<HTMLInputElement>('switch').disabled).toBe(true)
  expect(within(rows[0]!).queryByRole('button', { name: 'Delete' })).toBeNull()
  expect(within(rows[1]!).getByRole('button', { name: 'Delete' })).toBeTruthy()
  const field = within(dialog).getByLabelText('Add keys', { selector: 'textarea' })
  fireEvent.change(field, { target: { value: 'sk-a\nsk-b' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add keys' }))
  await screen.findByText('Keys added')
  const added = requests.find(each => each.method === 'POST')
  expect(added).toMatchObject({ path: '/api/channel/7/keys', body: { key: 'sk-a\nsk-b' } })
})
