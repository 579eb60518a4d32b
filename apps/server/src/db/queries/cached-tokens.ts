import { type RawBuilder, sql } from 'kysely'

/** A value of the metadata; null where it is absent. A migration gives PostgreSQL this function. */
export const text = (key: string) => sql<string>`json_extract(metadata, ${sql.lit(`$.${key}`)})`
export const number = (key: string) => sql<number>`cast(${text(key)} as double precision)`
export const orZero = (value: RawBuilder<number>) => sql<number>`coalesce(${value}, 0)`

export const readKeys = [
  'cached_read_tokens',
  'cached_read_audio_tokens',
  'cached_read_image_tokens',
] as const
const writeKeys = ['cached_write_tokens', 'cached_write_1h_tokens'] as const

export const total = (values: readonly RawBuilder<number>[]) =>
  sql<number>`(${sql.join(values, sql` + `)})`

/** Most calls have no cached tokens, and a search for the name costs less than reading the object. */
export const ifCached = (use: 'read' | 'write', value: RawBuilder<number>) =>
  sql<number>`case when metadata like ${sql.lit(`%"cached_${use}_%`)} then ${value} else 0 end`

/** Tokens of the prompt that the vendor's cache read, and those that it wrote. */
export const readTokens = ifCached('read', total(readKeys.map(key => orZero(number(key)))))
export const writtenTokens = ifCached('write', total(writeKeys.map(key => orZero(number(key)))))
