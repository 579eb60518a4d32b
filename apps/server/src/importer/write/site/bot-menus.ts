import { NewTelegramMenu } from '@hub/contract'
import * as rows from '../../../db/queries/telegram-menus.ts'
import type { GatewayData } from '../../gateway-data.ts'
import type { ImportContext } from '../context.ts'

const table = 'telegram_menus'

/** Commands of the bot. One whose text Telegram would refuse is left out. */
export const writeMenus = async (
  { tx, report }: ImportContext,
  imported: GatewayData['menus'],
): Promise<void> => {
  for (const { id, ...menu } of imported) {
    const row = { id, name: menu.command }
    const read = NewTelegramMenu.safeParse(menu)
    if (!read.success) {
      const { path, message } = read.error.issues[0]!
      report.skip(table, row, `\`${path.join('.')}\` ${message}`)
    } else if (await rows.insert(tx, read.data)) report.carry(table)
    else report.skip(table, row, 'another row has the same command')
  }
}
