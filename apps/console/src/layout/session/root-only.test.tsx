import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../test/setup.tsx'
import { RootOnly } from './guards.tsx'

it('a page of the super administrator says which role it needs', async () => {
  serve(({ path }) => (path === '/api/user/session' ? data({ id: 2, role: 10 }) : data({})))
  const router = await show(<RootOnly />, '/panel/system_info')
  expect(await screen.findByText('This page needs the role “Super administrator”')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/panel/system_info')
})
