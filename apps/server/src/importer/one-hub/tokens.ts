import type { ImportedToken, Skipped } from '../gateway-data.ts'
import type { SourceDatabase } from '../sources/source-database.ts'
import { flagOf, integerOf, isDeleted, jsonOf, textOf } from '../sources/values.ts'

type Setting = {
  limits?: {
    limit_model_setting?: { enabled?: boolean; models?: unknown }
    limits_ip_setting?: { enabled?: boolean; whitelist?: unknown }
  }
}

/** Keys of users that are not carried are skipped, because nobody could pay for them. */
export const readTokens = async (
  source: SourceDatabase,
  users: ReadonlySet<number>,
  skipped: Skipped[],
): Promise<ImportedToken[]> => {
  const tokens: ImportedToken[] = []
  for (const row of await source.rows('tokens', 'id')) {
    const [id, name, userId] = [
      integerOf(row, 'id'),
      textOf(row, 'name'),
      integerOf(row, 'user_id'),
    ]
    const reason = isDeleted(row)
      ? 'deleted'
      : users.has(userId)
        ? undefined
        : 'its user is deleted'
    if (reason) {
      skipped.push({ table: 'tokens', id, name, reason })
      continue
    }
    const { limits } = (jsonOf(row, 'setting') ?? {}) as Setting
    const [models, addresses] = [limits?.limit_model_setting, limits?.limits_ip_setting]
    tokens.push({
      ...{ id, userId, name },
      // The database has the key without the `sk-` that callers send.
      key: `sk-${textOf(row, 'key').trim()}`,
      // 3 and 4 follow from the time and the cap. One that was switched off is 2.
      isEnabled: integerOf(row, 'status') !== 2,
      expiresAt: integerOf(row, 'expired_time'),
      remaining: flagOf(row, 'unlimited_quota') ? null : integerOf(row, 'remain_quota'),
      used: integerOf(row, 'used_quota'),
      group: textOf(row, 'group'),
      backupGroup: textOf(row, 'backup_group'),
      models: models?.enabled ? textsOf(models.models) : [],
      addresses: addresses?.enabled ? textsOf(addresses.whitelist) : [],
      createdAt: integerOf(row, 'created_time'),
      lastUsedAt: integerOf(row, 'accessed_time'),
    })
  }
  return tokens
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String).filter(Boolean) : []
