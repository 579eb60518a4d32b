// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { PlaygroundPage } from './page.tsx'

const model = { groups: [], owned_by: 'OpenAI' }
const answer = ({ path }: Request) => {
  if (path === '/api/available_model') return data({ 'gpt-x': model, 'gpt-y': model })
  if (path === '/api/token/playground') return data('sk-of-the-playground')
  if (path.startsWith('/api/token')) return data({ data: [], total_count: 0 })
  return data({ data: [] })
}
const open = async () => {
  const requests = serve(answer)
  await show(<PlaygroundPage />, '/panel/playground')
  const calls = () => requests.filter(each => each.path.startsWith('/v1')).map(each => each.body)
  return { requests, calls }
}
const png = new File(['picture'], 'a.png', { type: 'image/png' })

it('a user without any key chats by the token of the playground', async () => {
  const { requests } = await open()
  expect(await screen.findByText('Playground key')).toBeTruthy()
  await userEvent.type(await screen.findByLabelText('Message'), 'Hi{Enter}')
  await waitFor(() =>
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['POST /api/token/playground', 'POST /v1/chat/completions']),
    ),
  )
})

it('asks two models the same question with a picture, and again on demand', async () => {
  const { calls } = await open()
  await userEvent.click(await screen.findByRole('switch', { name: 'Compare with a second model' }))
  await userEvent.upload(screen.getByTestId('images'), [png])
  expect(await screen.findByAltText('a.png')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Message'), 'What is it?{Enter}')
  const content = [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,cGljdHVyZQ==' } },
    { type: 'text', text: 'What is it?' },
  ]
  const question = { messages: [{ role: 'user', content }], stream: true }
  const both = ['gpt-x', 'gpt-y'].map(name => ({ ...question, model: name }))
  await waitFor(() => expect(calls()).toMatchObject(both))
  await userEvent.click(await screen.findByRole('button', { name: 'Ask again' }))
  await waitFor(() => expect(calls()).toMatchObject([...both, ...both]))
})

it('a parameter out of range is refused at its field, and nothing is sent', async () => {
  const { calls } = await open()
  const summary = await screen.findByText('Parameters')
  if (!summary.closest('details')?.open) await userEvent.click(summary)
  const temperature = await screen.findByLabelText('Temperature')
  await userEvent.type(temperature, '9')
  expect(await screen.findByText('Enter a number from 0 to 2')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Message'), 'Hi{Enter}')
  expect(calls()).toEqual([])
  await userEvent.clear(temperature)
  await userEvent.type(temperature, '0.9')
  await userEvent.type(screen.getByLabelText('Message'), '{Enter}')
  await waitFor(() => expect(calls()).toMatchObject([{ temperature: 0.9 }]))
})

it('a file that is no picture is refused with the reason', async () => {
  await open()
  const text = new File(['x'], 'a.svg', { type: 'image/svg+xml' })
  await userEvent.upload(await screen.findByTestId('images'), [text], { applyAccept: false })
  expect(
    await screen.findByText('Only PNG, JPEG, WebP and GIF pictures can be attached'),
  ).toBeTruthy()
})
