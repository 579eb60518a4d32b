import type { Program } from '../../apps/server/src/lib/command-line/read.mjs'

export const programs: Record<string, Program>
