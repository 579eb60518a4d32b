/** Reads decimal text such as `12.5` as minor units of a currency with two decimals; undefined if it is none. */
export const toMinorUnits = (text: string): number | undefined => {
  const match = /^(\d{1,12})(?:\.(\d{1,2})0{0,6})?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', decimals = ''] = match
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** Writes minor units with exactly two decimals, as payment vendors expect them. */
export const toDecimalText = (minor: number): string =>
  `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`
