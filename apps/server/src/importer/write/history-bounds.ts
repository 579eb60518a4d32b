import type { HistoryRow } from '../gateway-data.ts'

/** More would make the list of the log slow, and no gateway writes it. */
const contentMax = 10_000
const nameMax = 1_000
const metadataMax = 100
/** The sum of the points of all rows stays an exact number. */
const sumMax = Number.MAX_SAFE_INTEGER

type Bounded = { row: HistoryRow; cut: string[] } | { problem: string }

/** Keeps the rows of a history within what the log can hold. One of it counts the points of one import. */
export class HistoryBounds {
  private points = 0

  /** Returns the row with texts of a bounded length and the names of those that were cut, or why it is left out. */
  bound(given: HistoryRow): Bounded {
    const problem = numberProblem(given)
    if (problem !== undefined) return { problem }
    if (this.points + Math.abs(given.quota) > sumMax)
      return { problem: 'its points would make the sum of all rows inexact' }
    this.points += Math.abs(given.quota)
    const cut: string[] = []
    const shorten = (name: string, text: string, max: number): string => {
      if (text.length <= max) return text
      cut.push(name)
      return text.slice(0, max)
    }
    const row = {
      ...given,
      content: shorten('content', given.content, contentMax),
      username: shorten('username', given.username, nameMax),
      tokenName: shorten('token_name', given.tokenName, nameMax),
      modelName: shorten('model_name', given.modelName, nameMax),
      ip: shorten('address', given.ip, nameMax),
      metadata: boundedMetadata(given.metadata, shorten),
    }
    return { row, cut: [...new Set(cut)] }
  }
}

const numberProblem = ({
  createdAt,
  quota,
  promptTokens,
  completionTokens,
  milliseconds,
}: HistoryRow): string | undefined => {
  const counts = { promptTokens, completionTokens, milliseconds }
  if (!Number.isSafeInteger(createdAt) || !Number.isSafeInteger(quota))
    return 'its time or its points are no exact number'
  const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0
  return Object.values(counts).every(isCount)
    ? undefined
    : 'its tokens or its duration are no exact number'
}

type Shorten = (name: string, text: string, max: number) => string

/** JSON has no number that is not finite. */
const boundedMetadata = (
  metadata: HistoryRow['metadata'],
  shorten: Shorten,
): HistoryRow['metadata'] =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([, value]) => typeof value === 'string' || Number.isFinite(value))
      .slice(0, metadataMax)
      .map(([name, value]) => [
        name.slice(0, nameMax),
        typeof value === 'string' ? shorten('metadata', value, nameMax) : value,
      ]),
  )
