// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { Turns } from './turns.tsx'

it('shows reasoning and tool calls folded', async () => {
  const toolCalls = [{ index: 0, name: 'find', arguments: '{"place":"Bern"}' }]
  const turn = { id: 1, prompt: 'Hi', answer: '', reasoning: 'Hm', toolCalls }
  await show(<Turns turns={[{ ...turn, state: 'done' }]} />)
  for (const [title, text] of [
    ['Reasoning', 'Hm'],
    ['Tool call: find', '{"place":"Bern"}'],
  ] as const) {
    const folded = (await screen.findByText(title)).closest('details')
    expect(folded?.textContent).toContain(text)
    expect(folded?.open).toBe(false)
  }
})
