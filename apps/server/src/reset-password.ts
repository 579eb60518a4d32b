import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import pino from 'pino'
import { openStore } from './db/open.ts'
import { readDatabaseEnv } from './env.ts'
import { resetPassword } from './features/users/reset-password.ts'
import { serverPrograms } from './lib/command-line/programs.mjs'
import { runProgram } from './lib/command-line/run.ts'

await runProgram(serverPrograms['reset-password'], async ({ words: [username = 'root'] }) => {
  const source = readDatabaseEnv()
  if (!source.databaseUrl && !existsSync(join(source.dataDir, 'hub.db')))
    throw new Fault('env.invalid', {
      hint: `There is no database in ${source.dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`,
    })
  const store = await openStore({ ...source, log: pino({ level: 'silent' }), role: 'editor' })
  try {
    const password = await resetPassword(store.db, username, Math.floor(Date.now() / 1000))
    process.stdout.write(
      `\nThe new password of \`${username}\` is\n\n    ${password}\n\nIt is shown this once; the console asks for another at the next sign-in. All sessions and the access token have ended.\n\n`,
    )
  } finally {
    await store.close()
  }
})
