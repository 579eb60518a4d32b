/** An exact amount: whole units of 10^-18 US dollars. */
export type Usd = bigint

const decimals = 18

/** Reads a price as a vendor writes it: `0.003625`. */
export const usd = (text: string): Usd => {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === undefined) throw new RangeError(`${text} is no price`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

export const show = (amount: Usd): string => {
  const digits = String(amount).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}${fraction && `.${fraction}`}`
}

const exactly = (amount: bigint, divisor: bigint): bigint => {
  if (amount % divisor !== 0n) throw new RangeError(`${amount} / ${divisor} is not exact`)
  return amount / divisor
}

/** A price times a ratio such as `1.1`; both are decimals, so the product is one. */
export const times = (price: string, ratio: string): string =>
  show(exactly(usd(price) * usd(ratio), 10n ** BigInt(decimals)))

/** One line of a bill. */
export type Line = { what: string; units: number; price: string; amount: Usd }

const line = (what: string, units: number, price: string, per: bigint): Line => {
  if (!Number.isSafeInteger(units) || units < 0) throw new RangeError(`${what}: ${units}`)
  return { what, units, price, amount: exactly(BigInt(units) * usd(price), per) }
}

/** Tokens at a price per million. */
export const tokens = (what: string, units: number, price: string): Line =>
  line(what, units, price, 1_000_000n)

/** Calls of a tool at a price per thousand. */
export const toolCalls = (what: string, units: number, price: string): Line =>
  line(what, units, price, 1_000n)

export const sumOf = (lines: readonly Line[]): Usd =>
  lines.reduce((sum, { amount }) => sum + amount, 0n)
