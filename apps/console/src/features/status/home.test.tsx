import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, refusal, serve, show } from '../../test/setup.tsx'
import { HomePage } from './home.tsx'
import { JumpPage } from './jump.tsx'

const price = { model: 'gpt-x', type: 'tokens', channel_type: 1, input: 1, output: 4 }
const site = { server_address: 'https://hub.example', system_name: 'Acme AI' }
const serveHome = (models: object | undefined, text = '') =>
  serve(({ path }) => {
    if (path === '/api/status') return data(site)
    if (path === '/api/home_page_content') return data(text)
    if (path === '/api/available_model')
      return models ? data(models) : refusal(401, 'session.missing')
    return data({})
  })

it('a new site shows a call with its own address, and the prices of its models', async () => {
  serveHome({ 'gpt-x': { groups: ['default'], owned_by: 'OpenAI', price } })
  await show(<HomePage />)
  expect((await screen.findByLabelText('curl', { selector: 'pre' })).textContent).toContain(
    'curl https://hub.example/v1/chat/completions',
  )
  fireEvent.click(screen.getByRole('button', { name: 'Claude Code' }))
  expect(screen.getByLabelText('Claude Code', { selector: 'pre' }).textContent).toContain(
    'ANTHROPIC_BASE_URL=https://hub.example',
  )
  expect(await screen.findByText('gpt-x')).toBeTruthy()
  expect(screen.getByText('$8')).toBeTruthy()
})

it('where prices are not public the page shows none', async () => {
  serveHome(undefined)
  await show(<HomePage />)
  await screen.findByLabelText('curl', { selector: 'pre' })
  expect(screen.queryByText('Models and prices')).toBeNull()
})

it("the operator's own text replaces the page", async () => {
  serveHome({}, '# Welcome to **us**')
  await show(<HomePage />)
  expect(await screen.findByRole('heading', { name: 'Welcome to us' })).toBeTruthy()
  expect(screen.queryByLabelText('curl', { selector: 'pre' })).toBeNull()
})

it('a jump opens two desktop clients only', async () => {
  serve(() => data({}))
  await show(<JumpPage />, '/jump?url=javascript:alert(1)')
  expect(await screen.findByText('This link cannot be opened')).toBeTruthy()
  expect(document.querySelector('a[href^="javascript"]')).toBeNull()
})
