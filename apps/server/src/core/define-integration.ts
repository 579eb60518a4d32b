import type { z } from 'zod'

/** The fields every integration has. The `config` schema marks its secret fields with `meta({ secret: true })`. */
export type Integration<C extends z.ZodType> = { id: string; name: string; config: C }
