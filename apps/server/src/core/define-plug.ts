import type { z } from 'zod'

/** What every plug has: a word, a name for people, and the shape of its configuration, secrets marked in it. */
export type Plug<C extends z.ZodType> = { id: string; name: string; config: C }
