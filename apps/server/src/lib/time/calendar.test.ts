import { describe, expect, it } from 'vitest'
import { makeCalendar } from './calendar.ts'

const at = (text: string) => Date.parse(text) / 1000
const boundsOf = ({ begin, end }: { begin: number; end: number }) =>
  [begin, end].map(each => new Date(each * 1000).toISOString().slice(0, 16))

describe('windows of a time zone', () => {
  it('a day begins at midnight there', () => {
    const { day } = makeCalendar('Asia/Shanghai')
    expect(boundsOf(day(at('2026-11-21T15:59:59Z')))).toEqual([
      '2026-11-20T16:00',
      '2026-11-21T16:00',
    ])
    expect(boundsOf(day(at('2026-11-21T16:00:00Z')))).toEqual([
      '2026-11-21T16:00',
      '2026-11-22T16:00',
    ])
    // A clock that jumps back gets the previous day again.
    expect(boundsOf(day(at('2026-11-21T15:59:59Z')))).toEqual([
      '2026-11-20T16:00',
      '2026-11-21T16:00',
    ])
  })

  it('a day of a clock change has 23 or 25 hours', () => {
    const { day } = makeCalendar('Europe/Berlin')
    expect(boundsOf(day(at('2026-03-29T12:00:00Z')))).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ])
    expect(boundsOf(day(at('2026-10-25T00:30:00Z')))).toEqual([
      '2026-10-24T22:00',
      '2026-10-25T23:00',
    ])
  })

  it('a month ends where the next begins, also in a zone of three quarters of an hour', () => {
    const { month } = makeCalendar('Asia/Kathmandu')
    const [begin, end] = boundsOf(month(at('2027-02-14T00:00:00Z')))
    expect([begin, end]).toEqual(['2027-01-31T18:15', '2027-02-28T18:15'])
    expect(boundsOf(month(at('2027-02-28T18:15:00Z')))[0]).toBe(end)
  })
})
