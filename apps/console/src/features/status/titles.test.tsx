import { waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { data, serve, show } from '../../test/setup.tsx'
import { AboutPage } from './about.tsx'
import { HomePage } from './home.tsx'
import { NotFoundPage } from './not-found.tsx'

beforeEach(() => {
  document.title = 'One Hub'
  localStorage.setItem('siteInfo', JSON.stringify({ system_name: 'Acme AI' }))
  serve(({ path }) => (path === '/api/status' ? data({ system_name: 'Acme AI' }) : data('')))
})

it.each([
  ['the home page', <HomePage key="home" />, 'Acme AI'],
  ['the about page', <AboutPage key="about" />, 'About · Acme AI'],
  ['an unknown address', <NotFoundPage key="404" />, 'Page not found · Acme AI'],
])('%s has a title with the name of the site', async (_, page, title) => {
  await show(page)
  await waitFor(() => expect(document.title).toBe(title))
})
