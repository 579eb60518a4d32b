import { valueAt } from '../balance.ts'
import type { GroupRatioQuery } from '../define.ts'

/** New API and this gateway show their prices there, with the multipliers of the groups that the caller may use. */
export const pricingPath = '/api/pricing'

/**
 * `{group_ratio: {default: 1}, usable_group: {default: "Default"}}`:
 * https://github.com/QuantumNous/new-api/blob/main/controller/pricing.go
 */
export const groupRatios: GroupRatioQuery = {
  path: pricingPath,
  read: answer => {
    const ratios = valueAt(answer, 'group_ratio')
    if (typeof ratios !== 'object' || ratios === null || Array.isArray(ratios)) return undefined
    const found = Object.entries(ratios)
      .map(([group, ratio]) => ({ group, name: nameOf(answer, group), ratio: numberOf(ratio) }))
      .filter(each => each.ratio >= 0 && each.group !== '')
    return found.length > 0 ? found : undefined
  },
}

/** Some gateways write a decimal as text. NaN: it is no number. */
const numberOf = (value: unknown): number => {
  if (typeof value === 'string' && value.trim() !== '') return numberOf(Number(value))
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
}

const nameOf = (answer: unknown, group: string): string => {
  const name = valueAt(answer, 'usable_group', group)
  return typeof name === 'string' ? name : ''
}
