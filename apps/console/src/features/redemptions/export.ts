import type { Redemption } from '@hub/contract'
import { toCsv } from '../../ui/csv.ts'
import { formatTime, type T } from '../../ui/index.ts'

/** A name that no file system refuses. */
const fileName = (name: string): string =>
  name.replace(/[\p{C}\\/:*?"<>|]+/gu, '-').replace(/^[.\s]+|[.\s]+$/g, '') || 'codes'

/** One code a line, as shops want them. */
export const codeFile = (name: string, codes: readonly string[]) => ({
  name: `${fileName(name)}.txt`,
  text: `${codes.join('\n')}\n`,
})

const timeOf = (seconds: number) => (seconds > 0 ? formatTime(seconds) : '')

type Cell = [key: string, value: (t: T, code: Redemption) => string | number]
const cells: Cell[] = [
  ['id', (_, code) => code.id],
  ['name', (_, code) => code.name],
  ['key', (_, code) => code.key],
  ['status', (t, code) => t(`redemptions.status.${code.status}`)],
  ['points', (_, code) => code.quota],
  ['expired_time', (_, code) => timeOf(code.expired_time)],
  ['created_time', (_, code) => timeOf(code.created_time)],
  ['redeemed_time', (_, code) => timeOf(code.redeemed_time)],
  ['used_username', (_, code) => code.used_username],
]

/** Codes with all that is known of them; exact to the point. */
export const redemptionsCsv = (t: T, codes: readonly Redemption[]): string =>
  toCsv([
    cells.map(([key]) => t(`redemptions.fields.${key}`)),
    ...codes.map(code => cells.map(([, value]) => value(t, code))),
  ])

type Page = { data: Redemption[]; size: number }

/** Every page of a list, from the first to the one that is not full. */
export const allPages = async (load: (page: number) => Promise<Page>): Promise<Redemption[]> => {
  const all = new Map<number, Redemption>()
  for (let page = 1; ; page += 1) {
    const { data, size } = await load(page)
    // A code that was made meanwhile pushes others onto the next page: nobody stands there twice.
    for (const code of data) all.set(code.id, code)
    if (data.length < size) return [...all.values()]
  }
}
