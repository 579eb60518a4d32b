import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** The Node that the lock ships, never the machine's. */
export const node = join(root, 'node_modules/.bin/node')
export const passwordReset = join(root, 'apps/server/src/reset-password.ts')
