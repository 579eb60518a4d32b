import { isSecretSetting, isSwitch, switchNeeds } from '@hub/contract'
import { sealSecret } from '../../../core/secrets/setting-secrets.ts'
import type { Database } from '../../../db/index.ts'
import * as rows from '../../../db/queries/options.ts'
import { isSettingKey, readSetting, settingText } from '../../../settings/index.ts'
import type { GatewayData } from '../../gateway-data.ts'
import type { ImportContext } from '../context.ts'

/** Options that are settings here too. The report names the others. */
export const writeOptions = async (
  { app, tx, report }: ImportContext,
  imported: GatewayData['options'],
): Promise<void> => {
  for (const { key, value } of imported) {
    const row = { id: key, name: key }
    if (!isSettingKey(key)) {
      report.skip('options', row, 'there is no such setting here')
      continue
    }
    const read = readSetting(key, value)
    if (!read.ok) {
      report.skip('options', row, read.why)
      continue
    }
    const text = settingText(read.value)
    await rows.write(tx, key, isSecretSetting(key) ? sealSecret(app, key, text) : text)
    report.carry('options')
  }
  await continueAsBefore(tx)
  await app.changes.notify(tx, 'settings')
}

/** The default of the gateways that are imported. */
const earlierAddress = 'http://localhost:3000'

/** There, links to choose a new password need a mail server only, and an address that nobody set has a default. */
const continueAsBefore = async (tx: Database): Promise<void> => {
  if (await rows.find(tx, 'SMTPServer')) await rows.writeFirst(tx, 'PasswordResetEnabled', 'true')
  const stored = await rows.listAll(tx)
  const isUsed = stored.some(
    ({ key, value }) => isSwitch(key) && switchNeeds[key].address && /^(true|webhook)$/.test(value),
  )
  if (isUsed) await rows.writeFirst(tx, 'ServerAddress', earlierAddress)
  // There, inviters are rewarded when the invited user signs up.
  const reward = stored.find(({ key }) => key === 'QuotaForInviter')
  if (Number(reward?.value) > 0) await rows.writeFirst(tx, 'InviterRewardTime', 'at_once')
}
