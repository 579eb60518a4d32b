import type { App } from '../../core/app.ts'
import * as rows from '../../db/queries/channels.ts'
import { sealSecrets } from './channel.ts'

/**
 * Encrypts the secrets that an earlier release stored in plain text, and removes them from deleted channels. A login in
 * an address is removed too: it was never sent.
 */
export const sealStoredChannels = (app: App): Promise<void> =>
  app.db.transaction().execute(async tx => {
    for (const row of await rows.listPlain(tx)) {
      const { id, deleted_at, base_url, ...secrets } = row
      const plain = Object.entries(secrets).filter(([, text]) => text && !isSealed(text))
      const sealed =
        deleted_at === null ? sealSecrets(app, id, Object.fromEntries(plain)) : rows.removedSecrets
      await rows.replacePlain(tx, row, { ...sealed, base_url: withoutLogin(base_url) })
    }
  })

const isSealed = (text: string) => text.startsWith(rows.sealedPrefix)

const withoutLogin = (text: string): string => {
  const url = URL.parse(text)
  if (!url || url.username + url.password === '') return text
  return text.replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
}
