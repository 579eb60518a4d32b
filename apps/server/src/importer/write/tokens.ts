import { TokenSetting } from '@hub/contract'
import * as counters from '../../db/queries/imported-counters.ts'
import * as spend from '../../db/queries/token-spend.ts'
import * as rows from '../../db/queries/tokens.ts'
import { masked, sha256 } from '../../lib/random.ts'
import type { ImportedToken } from '../gateway-data.ts'
import type { ImportContext } from './context.ts'

export const writeTokens = async (
  context: ImportContext,
  imported: readonly ImportedToken[],
): Promise<void> => {
  const version = await context.app.changes.notify(context.tx, 'tokens')
  const seen = new Set<string>()
  for (const token of imported) {
    const { id, name } = token
    const hash = hashOf(token.key)
    if (hash === undefined || seen.has(hash)) {
      context.report.skip('tokens', { id, name }, 'its key is empty or stands twice')
      continue
    }
    seen.add(hash)
    await writeToken(context, token, hash, version)
    context.report.carry('tokens')
  }
}

/** Keys are looked up by this. Undefined: the source has an empty key. */
const hashOf = (key: ImportedToken['key']): string | undefined => {
  if ('sha256' in key) return key.sha256
  return key.plain === '' || key.plain === 'sk-' ? undefined : sha256(key.plain)
}

const writeToken = async (
  context: ImportContext,
  token: ImportedToken,
  key_hash: string,
  version: number,
): Promise<void> => {
  const { app, tx, users } = context
  const { key, name, remaining, notes = [] } = token
  for (const each of notes) context.report.change('tokens', token, each)
  const user_id = users.get(token.userId)!.id
  const setting = settingOf(context, token)
  // A list of addresses of which nothing is left would allow every address.
  const isOpen =
    token.addresses.length > 0 && setting.limits.limits_ip_setting.whitelist.length === 0
  if (isOpen) context.report.change('tokens', token, 'disabled: none of its addresses can be read')
  const row = {
    ...{ user_id, name, version },
    ...{ key_hash, key_masked: 'plain' in key ? masked(key.plain) : key.masked },
    group: groupOf(context, token, 'group'),
    backup_group: groupOf(context, token, 'backupGroup'),
    billing_tag: billingTagOf(context, token),
    setting: JSON.stringify(setting),
    api_rate: null,
    ...{ requests_per_day: null, tokens_per_minute: null, concurrent_requests: null },
    ...{ quota_per_day: null, quota_per_month: null },
    ...token.limits,
    created_time: token.createdAt,
    deleted_at: null,
  }
  // Nobody knows the key behind a hash, so there is nothing to reveal.
  const seal = (id: number) =>
    'plain' in key ? app.seal.seal('token-key', `tokens.key_sealed:${id}`, key.plain) : ''
  const tokenId = await rows.insert(tx, row, seal)
  await spend.create(tx, {
    ...{ tokenId, userId: user_id },
    status: token.isEnabled && !isOpen ? 1 : 2,
    expiresAt: token.expiresAt === -1 ? -1 : Math.max(1, token.expiresAt),
    remaining: remaining === null ? null : Math.max(0, remaining),
  })
  await counters.addToken(tx, tokenId, {
    used: Math.max(0, token.used),
    lastUsedAt: Math.max(0, token.lastUsedAt),
  })
}

/** A group that the owner may not use stays, so that the key does not fall back to another price. */
const groupOf = (
  { groups, users, report }: ImportContext,
  token: ImportedToken,
  field: 'group' | 'backupGroup',
): string => {
  const group = token[field]
  if (group === '' || groups.get(group) || group === users.get(token.userId)?.group) return group
  const state = groups.has(group)
    ? `the group “${group}” is private and not its user's: calls are refused until it is public, or the key has another group`
    : `there is no group “${group}”: calls are refused until it exists`
  report.change('tokens', token, state)
  return group
}

/** A tag that names no group would count charges for nobody. */
const billingTagOf = ({ groups, report }: ImportContext, token: ImportedToken): string => {
  const { billingTag } = token
  if (billingTag === '' || groups.has(billingTag)) return billingTag
  report.change(
    'tokens',
    token,
    `left out its billing tag, since there is no group “${billingTag}”`,
  )
  return ''
}

const settingOf = ({ report }: ImportContext, token: ImportedToken): TokenSetting => {
  const { models, addresses } = token
  const list = (values: string[], isValid: (value: string) => boolean, what: string) => {
    const wrong = values.filter(each => !isValid(each))
    if (wrong.length > 0)
      report.change('tokens', token, `left out of its ${what}: ${wrong.join(', ')}`)
    return values.filter(isValid)
  }
  const parse = (limits: object) => TokenSetting.safeParse({ limits })
  const isModel = (name: string) =>
    parse({ limit_model_setting: { enabled: true, models: [name] } }).success
  const isAddress = (address: string) =>
    parse({ limits_ip_setting: { enabled: true, whitelist: [address] } }).success
  return TokenSetting.parse({
    limits: {
      // A list of which nothing is left stays on, so that the key does not become less limited.
      limit_model_setting: { enabled: models.length > 0, models: list(models, isModel, 'models') },
      limits_ip_setting: {
        enabled: addresses.length > 0,
        whitelist: list(addresses, isAddress, 'addresses'),
      },
    },
  })
}
