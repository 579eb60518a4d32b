import type { SealedColumn } from '../db/queries/sealed-values.ts'
import type { Purpose } from '../lib/seal.ts'

/** Every column with sealed texts. Secret settings are rows of `options` among plain ones. */
export const sealedColumns: readonly (SealedColumn & { purpose: Purpose })[] = [
  { table: 'channels', column: 'key_sealed', key: 'id', purpose: 'channel-key' },
  { table: 'channels', column: 'model_headers', key: 'id', purpose: 'channel-secret' },
  { table: 'channels', column: 'custom_parameter', key: 'id', purpose: 'channel-secret' },
  { table: 'channels', column: 'proxy', key: 'id', purpose: 'channel-secret' },
  { table: 'tokens', column: 'key_sealed', key: 'id', purpose: 'token-key' },
  { table: 'redemptions', column: 'key_sealed', key: 'id', purpose: 'redemption' },
  { table: 'options', column: 'value', key: 'key', purpose: 'setting' },
  {
    ...{ table: 'queued', column: 'payload_sealed', key: 'id', purpose: 'queued' },
    context: ['job', 'key'],
  },
  { table: 'one_time_codes', column: 'payload_sealed', key: 'id_hash', purpose: 'one-time-code' },
  { table: 'second_factors', column: 'secret_sealed', key: 'user_id', purpose: 'second-factor' },
  {
    table: 'oauth_providers',
    column: 'client_secret_sealed',
    key: 'id',
    purpose: 'oauth-provider',
  },
  {
    ...{
      table: 'payment_gateways',
      column: 'config_sealed',
      key: 'id',
      purpose: 'payment-gateway',
    },
    context: ['uuid'],
  },
  {
    ...{ table: 'notification_targets', column: 'config_sealed', key: 'id' },
    purpose: 'notification-target',
  },
  { table: 'stored_answers', column: 'content_sealed', key: 'id', purpose: 'kept-answer' },
  { table: 'stored_resources', column: 'object_sealed', key: 'id', purpose: 'stored-object' },
  { table: 'tasks', column: 'content_sealed', key: 'id', purpose: 'stored-object' },
  { table: 'tasks', column: 'callback_sealed', key: 'id', purpose: 'task-callback' },
]
