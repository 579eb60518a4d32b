import { expect, it } from 'vitest'
import { type BalanceReading, forecast } from './forecast.ts'

const hour = 3_600
const day = 86_400
const begin = 1_790_000_000

type Point = readonly [seconds: number, amount: number | string, more?: Partial<BalanceReading>]

const read = (points: readonly Point[]): BalanceReading[] =>
  points.map(([seconds, amount, more]) => ({
    ...{ at: begin + seconds, amount: String(amount), currency: 'USD', kind: 'wallet' },
    ...more,
  }))

/** One reading at each step, from `first` down by `fall`. */
const steadily = (count: number, step: number, first: number, fall: number): Point[] =>
  Array.from({ length: count }, (_, index) => [index * step, first - index * fall])

/** Readings, and the days that the last one lasts. Null: unknown. */
const cases: readonly [about: string, points: readonly Point[], days: number | null][] = [
  ['no readings', [], null],
  ['one reading', [[0, 100]], null],
  [
    'one fall',
    [
      [0, 100],
      [2 * day, 90],
    ],
    null,
  ],
  [
    'two falls in a day',
    [
      [0, 100],
      [12 * hour, 95],
      [day, 90],
    ],
    9,
  ],
  [
    'two falls in less than a day',
    [
      [0, 100],
      [hour, 95],
      [23 * hour, 90],
    ],
    null,
  ],
  ['a balance that stays the same', steadily(20, day / 2, 50, 0), null],
  ['a week of hours', steadily(7 * 24, hour, 200, 1), (200 - 167) / 24],
  ['only the last seven days', [...steadily(8, day, 1_000, 90), [14 * day, 360]], null],
  [
    'a faster consumption than weeks ago',
    [
      [0, 200],
      [8 * day, 190],
      [10 * day, 170],
      [12 * day, 150],
      [14 * day, 130],
    ],
    13,
  ],
  [
    'nights without consumption',
    [
      [0, 100],
      [12 * hour, 90],
      [day, 90],
      [36 * hour, 80],
      [2 * day, 80],
    ],
    8,
  ],
  [
    'a payment, whose time is left out',
    [
      [0, 20],
      [day, 10],
      [2 * day, 110],
      [3 * day, 100],
    ],
    10,
  ],
  [
    'payments at each reading',
    [
      [0, 1],
      [day, 2],
      [2 * day, 3],
      [3 * day, 4],
    ],
    null,
  ],
  [
    'one jump down, which stands alone',
    [
      [0, 500],
      [day, 490],
      [2 * day, 480],
      [3 * day, 80],
      [4 * day, 70],
      [5 * day, 60],
    ],
    6,
  ],
  [
    'a mistake of the vendor that it takes back',
    [
      [0, 100],
      [day, 90],
      [2 * day, 80],
      [2 * day + hour, 0],
      [2 * day + 2 * hour, 80],
      [3 * day, 70],
      [4 * day, 60],
    ],
    (6 * (4 * day - 2 * hour)) / (4 * day),
  ],
  [
    'a jump and one fall, which are not two',
    [
      [0, 100],
      [day, 99],
      [2 * day, 9],
    ],
    null,
  ],
  [
    'working days and a weekend',
    [
      [0, 600],
      [day, 500],
      [2 * day, 400],
      [3 * day, 395],
      [4 * day, 390],
    ],
    7.43,
  ],
  [
    'a used up balance',
    [
      [0, 20],
      [day, 10],
      [2 * day, 0],
    ],
    0,
  ],
  [
    'a balance below zero',
    [
      [0, 19],
      [day, 9],
      [2 * day, -1],
    ],
    0,
  ],
  [
    'a consumption that is next to nothing',
    [
      [0, 1e6],
      [day, 999_999.9],
      [2 * day, 999_999.8],
    ],
    null,
  ],
  [
    'tenths, which no binary number has',
    [
      [0, '0.9'],
      [day, '0.6'],
      [2 * day, '0.3'],
    ],
    1,
  ],
  [
    'another currency before',
    [
      [0, 100, { currency: 'CNY' }],
      [day, 90],
      [2 * day, 80],
    ],
    null,
  ],
  [
    'another kind before',
    [
      [0, 100, { kind: '' }],
      [day, 90],
      [2 * day, 80],
    ],
    null,
  ],
  [
    'a window, which refills',
    steadily(10, day, 100, 5).map(([at, left]) => [at, left, { kind: 'window' }] as const),
    null,
  ],
]

it.each(cases)('forecasts %s', (_, points, days) => {
  const readings = read(points)
  const { until } = forecast(readings)
  if (days === null) expect(until).toBeNull()
  else expect((until! - readings.at(-1)!.at) / day).toBeCloseTo(days, 1)
})

it('tells the consumption of a day', () => {
  expect(forecast(read(steadily(5, 6 * hour, 100, 2.5))).perDay).toBeCloseTo(10)
  expect(forecast(read([[0, 100]])).perDay).toBeNull()
})
