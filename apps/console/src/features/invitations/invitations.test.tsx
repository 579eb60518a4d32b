import type { ListedInvitation } from '@hub/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../test/setup.tsx'
import { InvitationsPage } from './page.tsx'

const row: ListedInvitation = {
  ...{ user_id: 8, username: 'bob', inviter_id: 7, inviter_username: 'ann' },
  ...{ address: '203.0.113.9', created_at: 1_774_000_000, state: 'withheld', reason: 'address' },
  ...{ gift: 500_000, gift_given: 0, reward: 1_000_000, reward_given: 0 },
  ...{ decided_at: 0, decided_by: '' },
}

it('an administrator sees why a reward is withheld, and gives it with a reason', async () => {
  const requests = serve(({ path }) =>
    path === '/api/invitation/'
      ? data({ data: [row], page: 1, size: 10, total_count: 1, total_exact: true })
      : data({ ...row, state: 'given' }),
  )
  await show(<InvitationsPage />)
  expect(await screen.findByText('Cap of the address reached')).toBeTruthy()
  expect(screen.getByText('ann (7)')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /bob/ }))
  fireEvent.click(await screen.findByText('Give'))
  await userEvent.type(await screen.findByLabelText(/Reason/), 'a known office')
  fireEvent.click(screen.getByRole('button', { name: 'Give' }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/api/invitation/8/give')?.body).toEqual({
      remark: 'a known office',
    }),
  )
})
