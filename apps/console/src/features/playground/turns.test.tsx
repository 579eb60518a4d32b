// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import type { Answer } from './turn.ts'
import { Turns } from './turns.tsx'

const answer: Answer = {
  ...{ column: 0, model: 'gpt-x', dialect: 'openai-chat', text: '', reasoning: '' },
  ...{ toolCalls: [], state: 'done' },
}
const showAnswers = (...answers: Partial<Answer>[]) => {
  const whole = answers.map((each, column) => ({ ...answer, column, ...each }))
  const turn = { id: 1, prompt: 'Hi', images: [], lostImages: 0, answers: whole }
  return show(<Turns turns={[turn]} />)
}

it('shows reasoning and tool calls folded', async () => {
  const toolCalls = [{ index: 0, name: 'find', arguments: '{"place":"Bern"}' }]
  await showAnswers({ reasoning: 'Hm', toolCalls })
  for (const [title, text] of [
    ['Reasoning', 'Hm'],
    ['Tool call: find', '{"place":"Bern"}'],
  ] as const) {
    const folded = (await screen.findByText(title)).closest('details')
    expect(folded?.textContent).toContain(text)
    expect(folded?.open).toBe(false)
  }
})

it('shows an error in the language of the console, with the words of the server', async () => {
  const message = 'The balance is used up. (request id: 7)'
  await showAnswers({ state: 'failed', error: { key: 'calls.errors.quota', message } })
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toContain('Top up the account')
  expect(alert.textContent).toContain(message)
})

it('links each of two answers to its log row, with its own cost', async () => {
  const row = { input: 10, output: 5, ms: 100 }
  await showAnswers(
    { model: 'gpt-x', text: 'One', row: { ...row, id: 41, quota: 20 } },
    { model: 'claude-x', text: 'Two', row: { ...row, id: 42, quota: 30 } },
  )
  expect(screen.getByText('claude-x')).toBeTruthy()
  expect(
    screen.getAllByRole('link', { name: 'Log' }).map(each => each.getAttribute('href')),
  ).toEqual(['/panel/log/41', '/panel/log/42'])
})
