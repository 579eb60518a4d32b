// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { PlaygroundPage } from './page.tsx'

const answer = ({ path }: Request) => {
  if (path === '/api/available_model') return data({ 'gpt-x': { groups: [], owned_by: 'OpenAI' } })
  if (path === '/api/token/playground') return data('sk-of-the-playground')
  if (path.startsWith('/api/token')) return data({ data: [], total_count: 0 })
  return data({ data: [] })
}

it('a user without any key chats by the token of the playground', async () => {
  const requests = serve(answer)
  await show(<PlaygroundPage />, '/panel/playground')
  expect(await screen.findByText('Playground key')).toBeTruthy()
  await userEvent.type(await screen.findByLabelText('Message'), 'Hi{Enter}')
  await waitFor(() =>
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['POST /api/token/playground', 'POST /v1/chat/completions']),
    ),
  )
})
