import { expect, it } from 'vitest'
import { noticeRule } from './notice-rule.ts'

it('a new notice opens by itself and is known from then on', () => {
  expect(noticeRule('new', 'old')).toEqual({ text: 'new', opens: true, store: 'new' })
  expect(noticeRule('new', null)).toMatchObject({ opens: true })
})

it('a known notice stays shut', () => {
  expect(noticeRule('same', 'same')).toEqual({ text: 'same', opens: false, store: undefined })
})

it('none on the server: the known one is shown on demand, and not forgotten', () => {
  expect(noticeRule('', 'old')).toEqual({ text: 'old', opens: false, store: undefined })
  expect(noticeRule(undefined, null)).toEqual({ text: '', opens: false, store: undefined })
})
