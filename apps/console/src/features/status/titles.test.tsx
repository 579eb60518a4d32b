import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { Footer } from '../../layout/footer.tsx'
import { data, serve, show } from '../../test/setup.tsx'
import { AboutPage } from './about.tsx'
import { HomePage } from './home.tsx'
import { NotFoundPage } from './not-found.tsx'

beforeEach(() => {
  document.title = 'One Hub'
  localStorage.setItem('siteInfo', JSON.stringify({ system_name: 'Acme AI' }))
  serve(({ path }) => (path === '/api/status' ? data({ system_name: 'Acme AI' }) : data('')))
})

it('the footer names the version of this gateway, not that of the one it is compatible with', async () => {
  const versions = { version: 'v0.14.13', hub_version: '7.8.9' }
  localStorage.setItem('siteInfo', JSON.stringify({ system_name: 'Acme AI', ...versions }))
  serve(({ path }) =>
    path === '/api/status' ? data({ system_name: 'Acme AI', ...versions }) : data(''),
  )
  await show(<Footer />)
  expect((await screen.findByText(/Acme AI 7\.8\.9/)).textContent).not.toContain('0.14.13')
})

it.each([
  ['the home page', <HomePage key="home" />, 'Acme AI'],
  ['the about page', <AboutPage key="about" />, 'About · Acme AI'],
  ['an unknown address', <NotFoundPage key="404" />, 'Page not found · Acme AI'],
])('%s has a title with the name of the site', async (_, page, title) => {
  await show(page)
  await waitFor(() => expect(document.title).toBe(title))
})
