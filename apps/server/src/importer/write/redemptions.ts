import { insertCode } from '../../features/redemptions/code.ts'
import type { ImportedRedemption } from '../gateway-data.ts'
import type { ImportContext } from './context.ts'

export const writeRedemptions = async (
  { app, tx, report, users }: ImportContext,
  imported: readonly ImportedRedemption[],
): Promise<void> => {
  const seen = new Set<string>()
  for (const redemption of imported) {
    const { code, userId, isEnabled, name, quota, createdAt, expiresAt } = redemption
    if (code === '' || seen.has(code) || quota < 0) {
      report.skip(
        'redemptions',
        redemption,
        'its code is empty or stands twice, or its quota is negative',
      )
      continue
    }
    seen.add(code)
    await insertCode(app, tx, code, {
      user_id: users.get(userId)?.id ?? 0,
      status: isEnabled ? 1 : 2,
      ...{ name, quota, created_time: createdAt, expires_at: expiresAt },
    })
    report.carry('redemptions')
  }
}
