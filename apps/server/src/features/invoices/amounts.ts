/** US dollars with six decimals, which is finer than a point at the usual rate. */
export const dollars = (points: number, quotaPerUnit: number): string =>
  (points / quotaPerUnit).toFixed(6)

export const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2)
