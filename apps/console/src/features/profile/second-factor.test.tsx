// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { SignedInOnly } from '../../layout/session/guards.tsx'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { SecondFactor } from './second-factor.tsx'

const user = { id: 2, username: 'ada', role: 1, has_password: true, has_second_factor: false }
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it('an authenticator app is set up by a QR code and its first code, and the backup codes are shown once', async () => {
  let isEnabled = false
  const requests = serve(({ path }: Request) => {
    if (path === '/api/user/session') return data({ ...user, has_second_factor: isEnabled })
    if (path.endsWith('/setup')) return data({ secret, uri: `otpauth://totp/a?secret=${secret}` })
    if (path.endsWith('/enable')) {
      isEnabled = true
      return data({ backup_codes: ['abcde-fghij', 'klmno-pqrst'] })
    }
    if (path.endsWith('/status'))
      return data({ enabled: true, enabled_at: 1, backup_codes_left: 2 })
    return data(null)
  })
  await show(<SignedInOnly />, '/panel/profile', <SecondFactor />)
  await userEvent.type(await screen.findByLabelText(/Current password/), 'a-password')
  await userEvent.click(screen.getByRole('button', { name: 'Set up an authenticator app' }))
  expect(await screen.findByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy()
  expect(screen.getByText(secret)).toBeTruthy()
  await userEvent.type(screen.getByLabelText(/Code of the authenticator app/), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Turn on' }))
  const list = await screen.findByRole('list', { name: 'Backup codes' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(each => each.textContent),
  ).toEqual(['abcde-fghij', 'klmno-pqrst'])
  expect(requests.filter(each => each.method === 'POST').map(each => each.body)).toEqual([
    { current_password: 'a-password' },
    { code: '123456' },
  ])
  await userEvent.click(screen.getByRole('button', { name: 'I have saved them' }))
  expect(screen.queryByText('abcde-fghij')).toBeNull()
  expect(
    await screen.findByText(/Two-step verification is on\. Unused backup codes: 2/),
  ).toBeTruthy()
})
